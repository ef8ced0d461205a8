package dev.penstock.delta.internal.log;

import dev.penstock.format.MalformedFileException;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.storage.Printable;
import io.delta.kernel.data.ColumnVector;
import io.delta.kernel.data.ColumnarBatch;
import io.delta.kernel.data.Row;
import io.delta.kernel.engine.JsonHandler;
import io.delta.kernel.exceptions.KernelEngineException;
import io.delta.kernel.expressions.Predicate;
import io.delta.kernel.types.StructType;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/// Reads the commits of a log, and checkpoints in JSON: a line for each action.
record LogJson(TableFiles files) implements JsonHandler {
  private static final Logger LOG = LoggerFactory.getLogger(LogJson.class);
  private static final String HINT = "/_last_checkpoint";

  @Override
  public ColumnarBatch parseJson(
      ColumnVector texts, StructType schema, Optional<ColumnVector> selected) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int row = 0; row < texts.getSize(); row++) {
      boolean isWanted =
          !texts.isNullAt(row) && (selected.isEmpty() || selected.get().getBoolean(row));
      rows.add(
          isWanted
              ? JsonValues.read(texts.getString(row), schema)
              : new @Nullable Object[schema.length()]);
    }
    return ValueBatch.of(schema, rows);
  }

  @Override
  public CloseableIterator<ColumnarBatch> readJsonFiles(
      CloseableIterator<FileStatus> wanted, StructType schema, Optional<Predicate> predicate) {
    return wanted.map(file ->
        file.getPath().endsWith(HINT)
            ? hint(file.getPath(), schema)
            : read(file.getPath(), schema));
  }

  /// Reads the hint at the last checkpoint. Young tables have none; without one the library looks
  /// through the list of files.
  private ColumnarBatch hint(String path, StructType schema) {
    try {
      files.stat(path);
      ColumnarBatch hint = rows(path, schema);
      if (hint.getSize() > 0) {
        return hint;
      }
      LOG.warn("Ignored {}: it is empty", Printable.of(path));
    } catch (FileNotFoundException _) {
      LOG.debug("There is no {}", Printable.of(path));
    } catch (MalformedFileException e) {
      LOG.warn("Ignored {}: {}", Printable.of(path), e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
    // What the library takes as: there is none. All else it tries again.
    throw new KernelEngineException(path, new FileNotFoundException(path));
  }

  private ColumnarBatch read(String path, StructType schema) {
    try {
      return rows(path, schema);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private ColumnarBatch rows(String path, StructType schema) throws IOException {
    String text = new String(files.bytes(path), StandardCharsets.UTF_8);
    List<@Nullable Object[]> rows = new ArrayList<>();
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      if (!line.isBlank()) {
        rows.add(row(path, number, line, schema));
      }
    }
    return ValueBatch.of(schema, rows);
  }

  private @Nullable Object[] row(String path, int number, String line, StructType schema)
      throws IOException {
    try {
      return JsonValues.read(line, schema);
    } catch (JacksonException | IllegalArgumentException e) {
      throw new FilePlace(files.location(path), "line " + number)
          .fail(
              "Corrupt Delta log: the line is not an action in JSON ("
                  + String.valueOf(e.getMessage()).lines().findFirst().orElse("")
                  + "). Restore the file, or read an older version.",
              e);
    }
  }

  @Override
  public void writeJsonFileAtomically(String path, CloseableIterator<Row> rows, boolean replace) {
    throw new UnsupportedOperationException("Penstock writes no tables.");
  }
}
