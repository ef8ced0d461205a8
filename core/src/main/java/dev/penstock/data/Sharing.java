package dev.penstock.data;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// Three ways to share the rows of an iterable dataset among the workers of a loader, so that each
/// row comes once.
///
/// | | a worker gets | reads and drops | for |
/// |---|---|---|---|
/// | [#byRemainder] | every row whose number modulo the workers is its own | all other rows | streams that cannot be divided |
/// | [#byBlock] | a run of rows | nothing | rows that have numbers |
/// | [#byFile] | whole files | nothing | files, tables, topics |
///
/// Outside of workers ([WorkerInfo#current()] is empty), all rows come.
///
/// **Order.** A worker's rows come in the dataset's order, and depend only on its number and the
/// number of workers.
///
/// **Threads.** Each worker has an iterator of its own.
public final class Sharing {
  /// Opens a source of rows.
  ///
  /// @param <F> what a source is
  /// @param <T> what a row is
  @FunctionalInterface
  public interface Opener<F, T> {
    /// {@return the rows of a source; an `AutoCloseable` iterator is closed after its last row, or
    /// when the epoch ends}
    ///
    /// @param source the source
    /// @throws IOException if it cannot be opened
    Iterator<T> open(F source) throws IOException;
  }

  private Sharing() {}

  /// {@return a dataset of the same size that gives worker `i` of `n` the rows `i`, `i + n`, `i +
  /// 2n` and so on}
  ///
  /// @param <T> what a row is
  /// @param dataset gives all its rows in the same order to every caller
  public static <T> IterableDataset<T> byRemainder(IterableDataset<T> dataset) {
    return new Shared<>(
        share -> new StepIterator<>(dataset.iterator(), share.worker(), share.workers()),
        dataset::size,
        _ -> byRemainder(dataset.copyForWorker()),
        dataset + " by remainder");
  }

  /// {@return a dataset of the same size that gives worker `i` of `n` the `i`th of `n` nearly equal
  /// runs of rows: the first `size() % n` workers get one row more than the others}
  ///
  /// An [IOException] of the dataset is rethrown as [UncheckedIOException].
  ///
  /// @param <T> what a row is
  /// @param dataset the rows, in the order of their numbers; for a range of numbers use
  ///   [Datasets#range]
  public static <T> IterableDataset<T> byBlock(MapDataset<T> dataset) {
    return new Shared<>(
        share -> share.block(dataset),
        () -> OptionalLong.of(dataset.size()),
        same -> same,
        dataset + " by block");
  }

  /// {@return a dataset of unknown size that gives worker `i` of `n` the rows of the sources `i`,
  /// `i + n`, `i + 2n` and so on, one source after another} One worker opens each source, after
  /// reading its previous one; with fewer sources than workers, the last workers get no rows.
  ///
  /// By remainder and not in runs, as torch's documentation divides a range: workers take turns, so
  /// batches come about in the order of the list, and where sources grow along the list, as days
  /// do, workers get about equally many rows.
  ///
  /// @param <F> what a source is
  /// @param <T> what a row is
  /// @param sources the files or similar
  /// @param open opens a source
  public static <F, T> IterableDataset<T> byFile(List<F> sources, Opener<F, T> open) {
    List<F> all = List.copyOf(sources);
    return new Shared<>(
        share -> new ChainIterator<>(share.of(all).iterator(), source -> opened(open, source)),
        OptionalLong::empty,
        same -> same,
        all.size() + " sources by file");
  }

  private static <F, T> Iterator<T> opened(Opener<F, T> open, F source) {
    try {
      return open.open(source);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot open '" + source + "': " + e.getMessage(), e);
    }
  }

  /// The part of one worker.
  private record Share(int worker, int workers) {
    static Share current() {
      return WorkerInfo.current()
          .map(info -> new Share(info.id(), info.count()))
          .orElseGet(() -> new Share(0, 1));
    }

    <F> List<F> of(List<F> sources) {
      return IntStream.range(0, sources.size())
          .filter(i -> i % workers == worker)
          .<F>mapToObj(sources::get)
          .toList();
    }

    <T> Iterator<T> block(MapDataset<T> dataset) {
      long size = dataset.size();
      long each = size / workers;
      long longer = size % workers;
      long from = worker * each + Math.min(worker, longer);
      return new Block<>(dataset, from, from + each + (worker < longer ? 1 : 0));
    }
  }

  /// Every `step`th row of an iterator, from row `first` on; the others are read and dropped.
  private static final class StepIterator<T> implements Iterator<T>, AutoCloseable {
    private final int step;
    private Iterator<T> rows;
    private int leftOut;

    StepIterator(Iterator<T> rows, int first, int step) {
      this.rows = rows;
      this.leftOut = first;
      this.step = step;
    }

    @Override
    public boolean hasNext() {
      while (rows.hasNext()) {
        if (leftOut == 0) {
          return true;
        }
        rows.next();
        leftOut--;
      }
      close();
      return false;
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException("There are no more rows.");
      }
      leftOut = step - 1;
      return rows.next();
    }

    @Override
    public void close() {
      Iterator<T> ended = rows;
      rows = Collections.emptyIterator(); // Before the close, so that it is closed once.
      Rows.close(ended);
    }
  }

  /// Rows `[next, end)` of a dataset.
  private static final class Block<T> implements Iterator<T> {
    private final MapDataset<T> dataset;
    private final long end;
    private long next;

    Block(MapDataset<T> dataset, long from, long end) {
      this.dataset = dataset;
      this.next = from;
      this.end = end;
    }

    @Override
    public boolean hasNext() {
      return next < end;
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException("There are no more rows.");
      }
      try {
        return dataset.get(next++);
      } catch (IOException e) {
        throw new UncheckedIOException(e.getMessage(), e);
      }
    }
  }

  /// A dataset that gives each worker its share.
  private record Shared<T>(
      Function<Share, Iterator<T>> rows,
      Supplier<OptionalLong> known,
      UnaryOperator<IterableDataset<T>> copy,
      String name)
      implements IterableDataset<T> {
    @Override
    public Iterator<T> iterator() {
      return rows.apply(Share.current());
    }

    @Override
    public IterableDataset<T> copyForWorker() {
      return copy.apply(this);
    }

    @Override
    public OptionalLong size() {
      return known.get();
    }

    @Override
    public String toString() {
      return name;
    }
  }
}
