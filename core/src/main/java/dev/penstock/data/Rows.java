package dev.penstock.data;

import dev.penstock.internal.choice.Sentence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;

/// Helpers for datasets that are made of others.
final class Rows {
  private Rows() {}

  /// Reads rows from a dataset, and checks their number.
  static <T> List<T> getAll(MapDataset<T> dataset, long[] indices) throws IOException {
    List<T> rows = dataset.getAll(indices);
    if (rows.size() != indices.length) {
      throw new IllegalStateException(
          Sentence.of(
              "Cannot use the rows of %s: getAll gave %s rows for %s indices. It must give one for"
                  + " each.",
              dataset, rows.size(), indices.length));
    }
    return rows;
  }

  /// Closes an iterator if it is closeable.
  static void close(Iterator<?> rows) {
    if (rows instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (RuntimeException e) {
        throw e;
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot close the rows: " + e.getMessage(), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Cannot close the rows: interrupted.", e);
      } catch (Exception e) {
        throw new IllegalStateException("Cannot close the rows: " + e.getMessage(), e);
      }
    }
  }
}
