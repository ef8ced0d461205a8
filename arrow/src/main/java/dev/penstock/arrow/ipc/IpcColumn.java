package dev.penstock.arrow.ipc;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A column of a file, or a part of one: its type for the loader and how a record batch stores it.
///
/// @param dictionary the dictionary of its codes; null if the values themselves are stored
record IpcColumn(
    Field field,
    String path,
    Form form,
    Place place,
    @Nullable Dictionary dictionary,
    List<IpcColumn> children) {
  /// How values lie in buffers, apart from validity bits.
  enum Layout {
    BITS,
    FIXED,
    VARIABLE,
    LIST,
    FIXED_LIST,
    STRUCT,
    /// Values of variable width, see [Views].
    VIEWS,
    /// Codes of a dictionary.
    CODES,
    /// No buffers: all values are null.
    NONE,
    /// Not readable.
    OTHER
  }

  /// How stored values of a fixed width are converted.
  enum Change {
    NONE,
    /// To the width of a decimal of its precision.
    DECIMAL,
    SECONDS_TO_MILLIS,
    MILLIS_TO_DAYS
  }

  /// The form of stored values.
  ///
  /// @param width the bytes of a value, of an offset, or the elements of a list of fixed size
  record Form(Layout layout, int width, Change change) {}

  /// The position of a column among all columns of a record batch.
  ///
  /// @param buffer the index of its first buffer, not counting extra buffers of views before it
  /// @param views how many columns of views come before it, each with extra buffers
  record Place(int node, int buffer, int views) {}

  /// @param values how a dictionary batch stores the values
  record Dictionary(long id, boolean signed, IpcColumn values) {}

  DataType type() {
    return field.type();
  }

  Layout layout() {
    return form.layout;
  }

  int width() {
    return form.width;
  }

  Change change() {
    return form.change;
  }

  /// Returns the column marked as unreadable.
  IpcColumn unreadable(DataType.Unsupported type) {
    Field refused = new Field(field.name(), type, true);
    Form other = new Form(Layout.OTHER, form.width, form.change);
    return new IpcColumn(refused, path, other, place, null, List.of());
  }
}
