package dev.penstock.internal.boxing;

import dev.penstock.internal.slices.Validity;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Makes the Java objects that mean the values of a column, for lists, arrays of objects and what
/// is nested in them. There is one for each type; those of nested types have others inside.
///
/// **Threads.** One at a time.
public abstract class ObjectMaker {
  /// Makes one that is bound to no values.
  protected ObjectMaker() {}

  /// A value that no object can mean, for a fault of the file.
  public static final class BadValueException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String kind;

    /// Makes the exception.
    ///
    /// @param kind what should have been read, for example `text`
    /// @param sentence what was found, and what to do, without the final stop
    /// @param cause what led to it, if anything
    BadValueException(String kind, String sentence, @Nullable Throwable cause) {
      super(sentence, cause);
      this.kind = kind;
    }

    /// Returns the error that names the value's place.
    ///
    /// @param column the column
    /// @param file the file
    /// @param row the row in the file
    /// @return the error
    public IOException in(String column, Location file, long row) {
      return new IOException(
          "Corrupt "
              + kind
              + " in column '"
              + column
              + "': "
              + getMessage()
              + ", or leave it out. ["
              + file
              + ", row "
              + row
              + "]",
          this);
    }
  }

  /// Returns a maker for a type.
  ///
  /// @param type the type of the values
  /// @return what makes them
  public static ObjectMaker of(DataType type) {
    return switch (type) {
      case DataType.Utf8 _, DataType.Binary _ -> new TextObjects(type);
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

  /// Turns to the values of a slice, which stays valid while objects are made.
  ///
  /// @param slice the values
  public abstract void bind(ColumnSlice slice);

  /* What objects take on the heap is estimated by what HotSpot takes with compressed references:
   * 12 bytes for a header, 16 for that of an array, rounded up to 8. It need not be exact: it bounds
   * how many batches of large texts are ahead. */
  /// What a reference to an object takes.
  public static final int REFERENCE_BYTES = 4;

  static final int ARRAY_BYTES = 16;

  /// Makes the objects of some rows, null for nulls.
  ///
  /// @param from the first row of the slice
  /// @param count how many rows
  /// @param objects where the objects go
  /// @param to the place of the first
  /// @return about how many bytes the new objects take on the heap
  /// @throws BadValueException if no object can mean a value
  public abstract long make(int from, int count, @Nullable Object[] objects, int to)
      throws BadValueException;

  /// Returns whether a row is there.
  ///
  /// @param validity one bit per row, or null if no row is null
  /// @param row the row
  /// @return false if it is null
  public static boolean isPresent(@Nullable MemorySegment validity, int row) {
    return validity == null || Validity.isPresent(validity, row);
  }
}
