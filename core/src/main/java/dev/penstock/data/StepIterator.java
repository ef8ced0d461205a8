package dev.penstock.data;

import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;

/// Every `step`th row of an iterator, from row `first` on; the others are read and dropped.
final class StepIterator<T> implements Iterator<T>, AutoCloseable {
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
