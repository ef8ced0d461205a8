package dev.penstock.iceberg.internal.deletes;

import dev.penstock.format.MalformedFileException;
import dev.penstock.iceberg.internal.fields.FileIds;
import dev.penstock.iceberg.internal.fields.StoredFormat;
import dev.penstock.iceberg.internal.files.ReadFiles;
import dev.penstock.iceberg.internal.files.StatedSize;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.fields.StoredField;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.DeleteFile;
import org.jspecify.annotations.Nullable;

/// Reads delete files of any format by the field ids of their columns.
record DeleteFiles(ReadFiles files, FileIds ids) {
  /// How many rows are decoded together.
  static final int SLICE_ROWS = 8192;

  /// Visits the rows of a file, slice by slice.
  @FunctionalInterface
  interface Visitor {
    /// Takes the next rows.
    void visit(SliceReader reader, int rows) throws IOException;
  }

  /// Chooses the columns to read from a file.
  @FunctionalInterface
  interface Choice {
    /// Returns the columns.
    List<StoredField> of(List<StoredField> stored) throws MalformedFileException;
  }

  /// Reads all rows of some columns.
  void read(DeleteFile file, Choice columns, Visitor visitor) throws IOException {
    String path = file.location();
    try (StorageFile opened = files.open(path);
        ScanMemory memory = new ScanMemory(opened.location())) {
      FileFormat format = StoredFormat.of(file);
      FileMetadata metadata = format.readMetadata(opened);
      StatedSize.of(file).requireWhole(opened, metadata);
      List<StoredField> stored = StoredField.of(metadata, ids.in(format));
      Schema wanted = schema(columns.of(stored));
      try (SliceReader reader =
          format.openReader(opened, metadata, wanted, 0, metadata.rowCount(), memory)) {
        for (int rows = reader.next(SLICE_ROWS); rows > 0; rows = reader.next(SLICE_ROWS)) {
          visitor.visit(reader, rows);
        }
      }
    } catch (IOException e) {
      throw named(file, e);
    }
  }

  /// Returns columns in the form that a reader takes.
  static Schema schema(List<StoredField> columns) {
    List<Field> fields = new ArrayList<>();
    for (StoredField column : columns) {
      fields.add(new Field(String.valueOf(column.path()), column.field().type(), true));
    }
    return Schema.of(fields);
  }

  private static IOException named(DeleteFile file, IOException e) {
    return e instanceof MalformedFileException
        ? e
        : new IOException("Cannot read delete file " + file.location() + ": " + e.getMessage(), e);
  }

  static MalformedFileException fail(DeleteFile file, String sentence, @Nullable Throwable cause) {
    return new FilePlace(new Location(file.location()), "delete file").fail(sentence, cause);
  }
}
