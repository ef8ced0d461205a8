package dev.penstock.data;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/// An iterator that notes in a list when it is closed, and fails when it is closed twice or read
/// afterwards.
final class CountedRows implements Iterator<Integer>, AutoCloseable {
  private final String name;
  private final List<String> events;
  private final int end;
  private int next;
  private boolean closed;

  CountedRows(String name, int from, int count, List<String> events) {
    this.name = name;
    this.events = events;
    this.next = from;
    this.end = from + count;
    events.add("open " + name);
  }

  @Override
  public boolean hasNext() {
    requireOpen();
    return next < end;
  }

  @Override
  public Integer next() {
    requireOpen();
    if (next == end) {
      throw new NoSuchElementException();
    }
    return next++;
  }

  private void requireOpen() {
    if (closed) {
      throw new AssertionError(name + " is closed.");
    }
  }

  @Override
  public void close() {
    requireOpen();
    closed = true;
    events.add("close " + name);
  }
}
