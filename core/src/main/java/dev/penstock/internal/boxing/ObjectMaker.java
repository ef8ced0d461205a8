package dev.penstock.internal.boxing;

import dev.penstock.internal.slices.RowOrigin;
import dev.penstock.internal.slices.Validity;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Makes Java objects of the values of a column, for lists, arrays of objects and values nested in
/// them. There is one for each type; makers of nested types contain others.
///
/// **Threads.** One at a time.
public abstract class ObjectMaker {
  /// Starts unbound.
  protected ObjectMaker() {}

  /// The error of a value that cannot become an object, because the file is faulty.
  public static final class BadValueException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String kind;

    /// @param kind what should have been read, for example `text`
    /// @param sentence what was found, and what to do, without the final full stop
    BadValueException(String kind, String sentence, @Nullable Throwable cause) {
      super(sentence, cause);
      this.kind = kind;
    }

    /// Returns the error that names the value's place.
    public IOException in(String column, RowOrigin origin) {
      return new IOException(
          "Corrupt "
              + kind
              + " in column '"
              + column
              + "': "
              + getMessage()
              + ", or leave it out. ["
              + origin.file()
              + ", "
              + origin.row()
              + "]",
          this);
    }
  }

  public static ObjectMaker of(DataType type) {
    return switch (type) {
      case DataType.Utf8 _, DataType.Binary _ -> new TextObjects(type);
      case DataType.Variant _ -> new VariantObjects();
      case DataType.List(DataType element, boolean _) -> new ListObjects(of(element));
      case DataType.Struct struct -> new StructObjects(struct);
      case DataType.Map map -> new ListObjects(new EntryObjects(map));
      case DataType.Bool _,
          DataType.Int _,
          DataType.Floating _,
          DataType.Decimal _,
          DataType.FixedBinary _,
          DataType.Uuid _,
          DataType.Interval _,
          DataType.Date _,
          DataType.Time _,
          DataType.Timestamp _ ->
          new FixedObjects(type);
      case DataType.Null _, DataType.Unsupported _ ->
          throw new IllegalStateException("Cannot read " + type);
    };
  }

  /// Binds to the values of a slice, which must stay valid while objects are made.
  public abstract void bind(ColumnSlice slice);

  /* Sizes on the heap are estimated as in HotSpot with compressed references: 12 bytes for a
   * header, 16 for that of an array, rounded up to 8. They need not be exact: they limit how many
   * batches of large texts are ahead. */
  /// The bytes of a reference to an object.
  public static final int REFERENCE_BYTES = 4;

  static final int ARRAY_BYTES = 16;

  /// Makes the objects of some rows, null for nulls, `objects[to]` of the row `from`. Returns about
  /// how many bytes the new ones take on the heap.
  ///
  /// @throws BadValueException if a value cannot become an object
  public abstract long make(int from, int count, @Nullable Object[] objects, int to)
      throws BadValueException;

  /// Returns whether a row is not null.
  public static boolean isPresent(@Nullable MemorySegment validity, int row) {
    return validity == null || Validity.isPresent(validity, row);
  }
}
