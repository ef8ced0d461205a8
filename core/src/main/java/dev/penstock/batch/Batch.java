package dev.penstock.batch;

import dev.penstock.internal.choice.Choices;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.choice.Shown;
import java.lang.reflect.Array;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One step's worth of rows, as named columns with one leading row axis.
///
/// Under [OutputFormat#TENSOR] numbers, booleans, dates and times are [Tensor]s of shape `[rows]`,
/// a feature matrix is a `FLOAT32` tensor of shape `[rows, n]`, lists of numbers are a
/// [RaggedTensor], and also a tensor of shape `[rows, n]` if all have one length `n`; strings,
/// binaries, decimals, UUIDs and all other nested values are lists of Java objects. Under `ARRAY`
/// every column is a Java array, under `MAP` a list, under `ARROW` an Arrow vector. The form of a
/// column is the same in every batch. Asking for a column that does not exist, or is held in
/// another form, throws [NoSuchElementException].
///
/// As Java objects, a list is a [java.util.List], a struct a [java.util.Map] of its fields in
/// order, and a map a [java.util.List] of [java.util.Map.Entry], in the file's order, with
/// duplicate keys kept; all are unmodifiable, and nulls are null.
///
/// **Ownership.** The batch owns its tensors' memory until [#close()], which returns it to the
/// loader; lists and arrays are plain Java objects and stay valid. Tensors asked for or read after
/// `close()` throw [IllegalStateException]. Closing the batch closes its Arrow vectors, too; memory
/// that your own Arrow reference or a [Hold] still needs is returned when that is released.
///
/// **Threads.** Hand it to any thread; use it from one at a time. `close()` is safe from any.
///
/// **Order.** Batch `n` of an epoch is the same on every run with the same files, columns, seed and
/// shuffle, whatever the number of workers.
public final class Batch implements AutoCloseable {
  private final int rowCount;
  private final Map<String, Object> columns;
  private final @Nullable HeldColumns held;
  private final Lease lease;

  private Batch(
      int rowCount, Map<String, Object> columns, @Nullable HeldColumns held, Lease lease) {
    this.rowCount = rowCount;
    this.columns = Collections.unmodifiableMap(columns);
    this.held = held;
    this.lease = lease;
  }

  /// {@return a batch of the given columns}
  ///
  /// @param rowCount the number of rows
  /// @param columns name to [Tensor], [RaggedTensor], Java array or `List`, in order
  /// @param lease closed with the batch
  public static Batch of(int rowCount, Map<String, Object> columns, Lease lease) {
    Map<String, Object> named = new LinkedHashMap<>();
    columns.forEach((name, column) ->
        named.put(
            name,
            switch (column) {
              case Tensor tensor -> tensor.named(name);
              case RaggedTensor ragged -> ragged.named(name);
              default -> column;
            }));
    return new Batch(rowCount, named, null, lease);
  }

  /// {@return a batch whose columns are held by a module}
  ///
  /// @param rowCount the number of rows
  /// @param names the columns' names, in order
  /// @param held the columns; the lease closes them
  /// @param lease closed with the batch
  public static Batch of(int rowCount, List<String> names, HeldColumns held, Lease lease) {
    Map<String, Object> columns = new LinkedHashMap<>();
    names.forEach(name -> columns.put(name, held)); // Asked for a column on access.
    return new Batch(rowCount, columns, held, lease);
  }

  /// {@return the number of rows: the loader's batch size; less only in the last batch of an epoch}
  public int rowCount() {
    return rowCount;
  }

  /// {@return the names of the columns: an unmodifiable set, in order}
  public Set<String> names() {
    return columns.keySet();
  }

  /// {@return a column as a tensor, its shape starting with [#rowCount()]; of shape `[rowCount(),
  /// n]` for a column of lists that all have length `n` in this batch}
  ///
  /// @param name the column, feature matrix or mask
  public Tensor tensor(String name) {
    lease.check();
    if (!(columns.get(name) instanceof RaggedTensor ragged)) {
      return column(name, Tensor.class);
    }
    int other = ragged.firstOfAnotherLength();
    if (other >= 0) {
      throw new NoSuchElementException(
          Sentence.of(
              "Cannot batch column '%s': row %s has length %s but row 0 has %s. Use"
                  + " ragged(\"%s\"), which takes lists of any length.",
              name, other, ragged.length(other), ragged.length(0), name));
    }
    return ragged.block();
  }

  /// {@return a column of [#rowCount()] lists of numbers, of equal or different lengths}
  ///
  /// @param name the column, or the mask of its elements
  public RaggedTensor ragged(String name) {
    lease.check();
    return column(name, RaggedTensor.class);
  }

  /// {@return a column of strings, null where the row is null; unmodifiable, still valid after
  /// close()} Most strings are made when they are first read.
  ///
  /// @param name the column
  public List<@Nullable String> strings(String name) {
    List<?> values = list(name);
    if (values instanceof StringList strings) {
      return strings;
    }
    throw new NoSuchElementException(
        "Cannot read column '" + name + "' as strings: its values are not strings. Use list().");
  }

  /// {@return a column that is held as a list of objects, null where the row is null; unmodifiable,
  /// still valid after close()}
  ///
  /// @param name the column
  public List<?> list(String name) {
    return column(name, List.class);
  }

  /// {@return a column that is held as a Java array, as all are under [OutputFormat#ARRAY]: the
  /// array itself. A feature matrix is one `float[]` in row-major order, lists of numbers are an
  /// array of arrays such as `float[][]`, null where the list is null}
  ///
  /// @param <A> the array type
  /// @param name the column
  /// @param type the array type, for example `float[].class`
  public <A> A array(String name, Class<A> type) {
    return column(name, type);
  }

  /// {@return a column in whatever form it is held: a [Tensor], [RaggedTensor], `List` or Java
  /// array; under [OutputFormat#ARROW] an Arrow vector}
  ///
  /// @param name the column, feature matrix or mask
  /// @throws IllegalStateException if the batch is closed and the column was an Arrow vector
  public Object column(String name) {
    return column(name, Object.class);
  }

  /// {@return the columns that a module holds; empty if the batch has another output format} For
  /// that module only.
  ///
  /// @param <H> the module's class
  /// @param type the class
  public <H extends HeldColumns> Optional<H> held(Class<H> type) {
    lease.check();
    return Optional.ofNullable(held).filter(type::isInstance).map(type::cast);
  }

  private <C> C column(String name, Class<C> form) {
    Object column = columns.get(name);
    if (column == null) {
      throw new NoSuchElementException(
          Sentence.of(
              "Cannot read column '%s': no such column in the batch. %s",
              name, Choices.listed("Columns", name, columns.keySet())));
    }
    if (held != null) {
      lease.check();
      column = held.column(name);
    }
    if (!form.isInstance(column)) {
      throw new NoSuchElementException(
          Sentence.of(
              "Cannot read column '%s' as %s: it is held as %s. %s",
              name, form.getSimpleName(), formName(column), accessor(name, column)));
    }
    return form.cast(column);
  }

  private static String formName(Object column) {
    return switch (column) {
      case List<?> _ -> "a list";
      case Tensor _ -> "a tensor";
      case RaggedTensor _ -> "a ragged tensor";
      default -> "a " + column.getClass().getSimpleName();
    };
  }

  private static String accessor(String name, Object column) {
    String quoted = "(\"" + name + "\"";
    return switch (column) {
      case StringList _ ->
          Sentence.of(
              "Use strings%s), or the loader's option strings%s, ...), which makes numbers of"
                  + " them.",
              quoted, quoted);
      case List<?> _ -> "Use list" + quoted + ").";
      case Tensor _ -> "Use tensor" + quoted + ").";
      case RaggedTensor _ -> "Use ragged" + quoted + ").";
      default ->
          "Use "
              + (column.getClass().isArray()
                  ? "array" + quoted + ", " + column.getClass().getSimpleName() + ".class)."
                  : "column" + quoted + ").");
    };
  }

  /// Returns the memory to the loader. Calling it again does nothing.
  @Override
  public void close() {
    lease.close();
  }

  /// Shows the number of rows and the form of each column; not the values.
  @Override
  public String toString() {
    return "Batch of "
        + rowCount
        + " rows "
        + Shown.list(
            columns.entrySet(),
            column ->
                held == null ? column.getKey() + ": " + form(column.getValue()) : column.getKey())
        + (lease.isClosed() ? ", closed" : "");
  }

  private static String form(Object column) {
    return switch (column) {
      case Tensor tensor -> tensor.dtype() + " " + tensor.shape();
      case RaggedTensor ragged -> "ragged " + ragged.values().dtype();
      case StringList _ -> "strings";
      case List<?> _ -> "list";
      case Object array when array.getClass().isArray() ->
          array.getClass().getSimpleName().replaceFirst("\\[]", "[" + Array.getLength(array) + "]");
      default -> column.getClass().getSimpleName();
    };
  }
}
