package dev.penstock.batch;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One step's worth of rows, as named columns with one leading row axis.
///
/// Under [OutputFormat#TENSOR] numbers, booleans, dates and times are [Tensor]s of shape `[rows]`,
/// a feature matrix is a `FLOAT32` tensor of shape `[rows, n]`, and strings, binaries, decimals and
/// UUIDs are lists. Under `ARRAY` every column is a Java array, under `MAP` a list. The type of a
/// column is the same in every batch.
///
/// **Ownership.** The batch owns its tensors' memory until [#close()], which returns it to the
/// loader; lists and arrays are plain Java objects and stay valid. Tensors read after `close()`
/// throw [IllegalStateException].
///
/// **Threads.** Hand it to any thread; use it from one at a time. `close()` is safe from any.
///
/// **Order.** Batch `n` of an epoch is the same on every run with the same files, columns, seed and
/// shuffle, whatever the number of workers.
public final class Batch implements AutoCloseable {
  private final int rowCount;
  private final Map<String, Object> columns;
  private final Lease lease;

  private Batch(int rowCount, Map<String, Object> columns, Lease lease) {
    this.rowCount = rowCount;
    this.columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
    this.lease = lease;
  }

  /// Returns a batch of the given columns.
  ///
  /// @param rowCount the number of rows
  /// @param columns name to [Tensor], Java array or `List`, in order
  /// @param lease what is closed with the batch
  /// @return the batch
  public static Batch of(int rowCount, Map<String, Object> columns, Lease lease) {
    return new Batch(rowCount, columns, lease);
  }

  /// Returns the number of rows.
  ///
  /// @return the loader's batch size; less only in the last batch of an epoch
  public int rowCount() {
    return rowCount;
  }

  /// Returns the names of the columns.
  ///
  /// @return an unmodifiable set, in order
  public Set<String> names() {
    return columns.keySet();
  }

  /// Returns a column as a tensor.
  ///
  /// @param name the column, feature matrix or mask
  /// @return the tensor, its shape starting with [#rowCount()]
  /// @throws NoSuchElementException if there is no such column, or it is no tensor
  /// @throws IllegalStateException if the batch is closed
  public Tensor tensor(String name) {
    lease.check();
    return column(name, Tensor.class);
  }

  /// Returns a column of strings.
  ///
  /// @param name the column
  /// @return the strings, null where the row is null; unmodifiable, still valid after close()
  /// @throws NoSuchElementException if there is no such column, or it is not held as a list of
  ///   strings
  public List<@Nullable String> strings(String name) {
    List<?> values = list(name);
    if (values instanceof StringList strings) {
      return strings;
    }
    throw new NoSuchElementException(
        "Cannot read column '" + name + "' as strings: its values are not strings. Use list().");
  }

  /// Returns a column that is held as a list of objects.
  ///
  /// @param name the column
  /// @return the values, null where the row is null; unmodifiable, still valid after close()
  /// @throws NoSuchElementException if there is no such column, or it is not held as a list
  public List<?> list(String name) {
    return column(name, List.class);
  }

  /// Returns a column that is held as a Java array, as all are under [OutputFormat#ARRAY].
  ///
  /// @param <A> the array type
  /// @param name the column
  /// @param type the array type, for example `float[].class`
  /// @return the array itself; a feature matrix is one `float[]` in row-major order
  /// @throws NoSuchElementException if there is no such column, or it is held in another form
  public <A> A array(String name, Class<A> type) {
    return column(name, type);
  }

  private <C> C column(String name, Class<C> form) {
    Object column = columns.get(name);
    if (column == null) {
      throw new NoSuchElementException(
          "Cannot read column '"
              + name
              + "': no such column in the batch. Columns are: "
              + columns.keySet()
              + ".");
    }
    if (!form.isInstance(column)) {
      throw new NoSuchElementException(
          "Cannot read column '"
              + name
              + "' as "
              + form.getSimpleName()
              + ": it is held as "
              + (column instanceof List
                  ? "a list"
                  : column instanceof Tensor
                      ? "a tensor"
                      : "a " + column.getClass().getSimpleName())
              + ".");
    }
    return form.cast(column);
  }

  /// Returns the memory to the loader. Calling it again does nothing.
  @Override
  public void close() {
    lease.close();
  }

  @Override
  public String toString() {
    return "Batch of " + rowCount + " rows " + columns.keySet();
  }
}
