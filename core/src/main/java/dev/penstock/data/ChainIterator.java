package dev.penstock.data;

import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;

/// The rows of sources one after another: each source is opened when the previous one has ended,
/// and closed at its own end.
///
/// @param <S> what a source is
/// @param <T> what a row is
final class ChainIterator<S, T> implements Iterator<T>, AutoCloseable {
  private final Function<? super S, ? extends Iterator<? extends T>> open;
  private Iterator<? extends S> sources;
  private Iterator<? extends T> rows = Collections.emptyIterator();

  ChainIterator(
      Iterator<? extends S> sources, Function<? super S, ? extends Iterator<? extends T>> open) {
    this.sources = sources;
    this.open = open;
  }

  @Override
  public boolean hasNext() {
    while (!rows.hasNext()) {
      closeRows();
      if (!sources.hasNext()) {
        return false;
      }
      rows = open.apply(sources.next());
    }
    return true;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException("There are no more rows.");
    }
    return rows.next();
  }

  private void closeRows() {
    Iterator<? extends T> ended = rows;
    rows = Collections.emptyIterator(); // First, so that a failing close is not repeated.
    Rows.close(ended);
  }

  @Override
  public void close() {
    sources = Collections.emptyIterator();
    closeRows();
  }
}
