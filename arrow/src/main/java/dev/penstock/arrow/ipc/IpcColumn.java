package dev.penstock.arrow.ipc;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A column of a file, or a part of one: what it is to the loader and how a record batch stores it.
///
/// @param field name and type
/// @param path the names of what it is in and its own, with dots between them
/// @param form what its values look like there
/// @param place where in a record batch it is
/// @param dictionary what its codes point at; null where values are stored themselves
/// @param children its parts
record IpcColumn(
    Field field,
    String path,
    Form form,
    Place place,
    @Nullable Dictionary dictionary,
    List<IpcColumn> children) {
  /// How values lie in buffers, validity bits left out.
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
    /// Nothing: all values are null.
    NONE,
    /// Not readable.
    OTHER
  }

  /// What becomes of stored values of a fixed width.
  enum Change {
    NONE,
    /// To the width that a decimal of its precision has.
    DECIMAL,
    SECONDS_TO_MILLIS,
    MILLIS_TO_DAYS
  }

  /// What stored values look like.
  ///
  /// @param layout how they lie in buffers
  /// @param width the bytes of a value, of an offset, or the elements of a list of fixed size
  /// @param change what is to be done to them
  record Form(Layout layout, int width, Change change) {}

  /// Where a column is among all of a record batch.
  ///
  /// @param node its place among the nodes
  /// @param buffer the place of its first buffer, were there no views before it
  /// @param views how many columns of views there are before it, each with more buffers
  record Place(int node, int buffer, int views) {}

  /// @param id the number that dictionary batches have
  /// @param signed whether codes are
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

  /// Returns the column as one that cannot be read.
  IpcColumn unreadable(DataType.Unsupported type) {
    Field refused = new Field(field.name(), type, true);
    Form other = new Form(Layout.OTHER, form.width, form.change);
    return new IpcColumn(refused, path, other, place, null, List.of());
  }
}
