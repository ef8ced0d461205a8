package dev.penstock.blackbox.files;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/// Files of another writer, some of whose answers are changed.
abstract class WrappedFiles implements TableWriter {
  final TableWriter files;

  WrappedFiles(TableWriter files) {
    this.files = files;
  }

  @Override
  public FileFormat format() {
    return files.format();
  }

  @Override
  public String extension() {
    return files.extension();
  }

  @Override
  public void write(Path path, Schema schema, List<List<List<Object>>> groups, Random layout)
      throws IOException {
    files.write(path, schema, groups, layout);
  }

  @Override
  public List<DataType> types() {
    return files.types();
  }

  @Override
  public boolean holds(DataType type) {
    return files.holds(type);
  }

  @Override
  public boolean saysTypes() {
    return files.saysTypes();
  }

  @Override
  public int nesting() {
    return files.nesting();
  }

  @Override
  public boolean hasDotsInNames() {
    return files.hasDotsInNames();
  }

  @Override
  public boolean saysEnd() {
    return files.saysEnd();
  }

  @Override
  public boolean hidesRows() {
    return files.hidesRows();
  }

  @Override
  public boolean hasMaps() {
    return files.hasMaps();
  }

  @Override
  public Schema read(Schema schema) {
    return files.read(schema);
  }

  @Override
  public void stop() {
    files.stop();
  }
}
