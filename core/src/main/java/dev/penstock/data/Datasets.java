package dev.penstock.data;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.sample.Generator;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/// Makes small datasets, and splits a dataset at random.
public final class Datasets {
  /// How far the sum of fractions may be below 1.
  private static final double MISSING_MAX = 1e-9;

  private Datasets() {}

  /// {@return the rows of a dataset divided at random into splits that have no row in common}
  ///
  /// Each split has the rows that torch's `random_split` gives it for a generator in the same
  /// state.
  ///
  /// @param <T> what a row is
  /// @param dataset the dataset to divide
  /// @param lengths how many rows each split gets; their sum is the dataset's size
  /// @param generator draws one permutation of the rows
  /// @throws IllegalArgumentException if a length is negative, or the lengths do not sum to the
  ///   size
  public static <T> List<Subset<T>> randomSplit(
      MapDataset<T> dataset, long[] lengths, Generator generator) {
    long size = dataset.size();
    long left = size;
    for (int split = 0; split < lengths.length; split++) {
      if (lengths[split] < 0) {
        throw new IllegalArgumentException(
            "Length of split " + split + " must not be negative, got " + lengths[split] + ".");
      }
      left = Math.max(-1, left - lengths[split]);
    }
    if (left != 0) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot split %s rows into lengths %s: they must sum to the number of rows.",
              size, Arrays.toString(lengths)));
    }
    long[] order = generator.randperm(size);
    List<Subset<T>> splits = new ArrayList<>(lengths.length);
    int from = 0;
    for (long length : lengths) {
      int to = from + (int) length;
      splits.add(Subset.of(dataset, Arrays.copyOfRange(order, from, to)));
      from = to;
    }
    return splits;
  }

  /// {@return the rows of a dataset divided at random, by fractions, into splits that have no row
  /// in common}
  ///
  /// Each split gets `size * fraction` rows, rounded down; the first splits get one more each until
  /// no rows are left. A split without rows logs a warning. Each split has the rows that torch's
  /// `random_split` gives it for a generator in the same state.
  ///
  /// @param <T> what a row is
  /// @param dataset the dataset to divide
  /// @param fractions the fraction of the rows that each split gets, in `[0, 1]`, with sum 1
  /// @param generator draws one permutation of the rows
  /// @throws IllegalArgumentException if a fraction is outside `[0, 1]`, or they do not sum to 1
  public static <T> List<Subset<T>> randomSplit(
      MapDataset<T> dataset, double[] fractions, Generator generator) {
    requireWhole(fractions);
    long[] lengths = new long[fractions.length];
    long left = dataset.size();
    for (int split = 0; split < lengths.length; split++) {
      lengths[split] = (long) Math.floor(dataset.size() * fractions[split]);
      left -= lengths[split];
    }
    for (long i = 0; i < left; i++) {
      lengths[(int) (i % lengths.length)]++;
    }
    for (int split = 0; split < lengths.length; split++) {
      if (lengths[split] == 0) {
        LoggerFactory.getLogger(Datasets.class)
            .warn(
                "Split {} has no rows: its fraction is {} of {}.",
                split,
                fractions[split],
                dataset);
      }
    }
    return randomSplit(dataset, lengths, generator);
  }

  /// Sums exactly, so that 20 times 0.05 is not more than 1.
  private static void requireWhole(double[] fractions) {
    BigDecimal sum = BigDecimal.ZERO;
    for (int split = 0; split < fractions.length; split++) {
      if (!(fractions[split] >= 0 && fractions[split] <= 1)) {
        throw new IllegalArgumentException(
            "Fraction of split " + split + " must be in [0, 1], got " + fractions[split] + ".");
      }
      sum = sum.add(new BigDecimal(fractions[split]));
    }
    double total = sum.doubleValue();
    if (total > 1 || 1 - total > MISSING_MAX) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot split by fractions %s: they sum to %s but must sum to 1.",
              Arrays.toString(fractions), total));
    }
  }

  /// {@return the elements of a list as rows}
  ///
  /// @param <T> what a row is
  /// @param rows the rows; kept, not copied; must not change while they are read
  public static <T> MapDataset<T> ofList(List<T> rows) {
    return new MapDataset<>() {
      @Override
      public long size() {
        return rows.size();
      }

      @Override
      public T get(long index) {
        return rows.get((int) Objects.checkIndex(index, rows.size()));
      }

      @Override
      public String toString() {
        return "list of " + rows.size() + " rows";
      }
    };
  }

  /// {@return the numbers `[0, size)` as rows: row `i` is `i`}
  ///
  /// @param size how many, at least 0
  public static MapDataset<Long> range(long size) {
    if (size < 0) {
      throw new IllegalArgumentException("Size of a range must not be negative, got " + size + ".");
    }
    return new MapDataset<>() {
      @Override
      public long size() {
        return size;
      }

      @Override
      public Long get(long index) {
        return Objects.checkIndex(index, size);
      }

      @Override
      public String toString() {
        return "range of " + size + " rows";
      }
    };
  }

  /// {@return the rows of iterators, of unknown size: each worker of a loader gets a new one, and
  /// so all rows} Use [Sharing] to deliver each row once.
  ///
  /// @param <T> what a row is
  /// @param iterators makes an iterator; closed if it is `AutoCloseable`
  public static <T> IterableDataset<T> ofIterators(Supplier<? extends Iterator<T>> iterators) {
    return iterators::get;
  }

  /// {@return the rows of streams, of unknown size: each worker of a loader gets a new one, and so
  /// all rows} Use [Sharing] to deliver each row once.
  ///
  /// @param <T> what a row is
  /// @param streams makes a stream, for example of the lines of a file; closed at its end, or
  ///   earlier if the rest is not needed
  public static <T> IterableDataset<T> ofStreams(Supplier<? extends Stream<T>> streams) {
    return () -> new StreamIterator<>(streams.get());
  }

  /// The rows of a stream, which is closed at its end.
  private static final class StreamIterator<T> implements Iterator<T>, AutoCloseable {
    private final Stream<T> stream;
    private final Iterator<T> rows;
    private boolean closed;

    StreamIterator(Stream<T> stream) {
      this.stream = stream;
      this.rows = stream.iterator();
    }

    @Override
    public boolean hasNext() {
      if (closed) {
        return false;
      }
      if (rows.hasNext()) {
        return true;
      }
      close();
      return false;
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException("There are no more rows.");
      }
      return rows.next();
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        stream.close();
      }
    }
  }
}
