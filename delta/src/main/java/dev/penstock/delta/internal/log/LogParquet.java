package dev.penstock.delta.internal.log;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.schema.Schema;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.split.Rank;
import dev.penstock.storage.Location;
import io.delta.kernel.data.FilteredColumnarBatch;
import io.delta.kernel.engine.FileReadResult;
import io.delta.kernel.engine.ParquetHandler;
import io.delta.kernel.expressions.Column;
import io.delta.kernel.expressions.Predicate;
import io.delta.kernel.types.ArrayType;
import io.delta.kernel.types.DataType;
import io.delta.kernel.types.MapType;
import io.delta.kernel.types.StructField;
import io.delta.kernel.types.StructType;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.DataFileStatus;
import io.delta.kernel.utils.FileStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads checkpoints in Parquet, and their sidecars, as a dataset of one file: the whole of it in
/// every training process, whatever the environment says of ranks.
record LogParquet(TableFiles files) implements ParquetHandler {
  private static final int BATCH_ROWS = 4_096;

  @Override
  public CloseableIterator<FileReadResult> readParquetFiles(
      CloseableIterator<FileStatus> wanted, StructType schema, Optional<Predicate> predicate) {
    return wanted.flatMap(file -> new Rows(file.getPath(), schema));
  }

  /// The rows of a file.
  private final class Rows implements CloseableIterator<FileReadResult> {
    private final String path;
    private final StructType schema;
    private final Set<String> columns = new LinkedHashSet<>();
    private final @Nullable DataLoader loader;
    private final @Nullable EpochIterator<Batch> batches;

    Rows(String path, StructType schema) {
      this.path = path;
      this.schema = schema;
      Location location = location(path);
      StructuredDataset dataset = new StructuredDataset(location.text()).format("parquet");
      StorageOptions options = files.locations().options(location);
      for (String key : options.keys()) {
        dataset = dataset.storageOption(key, options.get(key).orElseThrow());
      }
      Schema stored = dataset.fileSchema();
      for (StructField field : schema.fields()) {
        if (field.getDataType() instanceof StructType struct) {
          for (StructField part : struct.fields()) {
            add(stored, field.getName() + "." + part.getName());
          }
        } else {
          add(stored, field.getName());
        }
      }
      this.loader =
          columns.isEmpty()
              ? null
              : DataLoader.of(
                  dataset.columns(List.copyOf(columns)),
                  o ->
                      o.rank(Rank.SINGLE)
                          .workers(0)
                          .batchSize(BATCH_ROWS)
                          .output(OutputFormat.MAP));
      this.batches = loader == null ? null : loader.iterator();
    }

    private Location location(String name) {
      try {
        return files.location(name);
      } catch (IOException e) {
        throw new UncheckedIOException(e.getMessage(), e);
      }
    }

    private void add(Schema stored, String column) {
      if (stored.find(column).isPresent()) {
        columns.add(column);
      }
    }

    @Override
    public boolean hasNext() {
      if (batches != null && batches.hasNext()) {
        return true;
      }
      close();
      return false;
    }

    @Override
    public FileReadResult next() {
      try (Batch batch = Objects.requireNonNull(batches).next()) {
        List<@Nullable Object[]> rows = new ArrayList<>(batch.rowCount());
        for (int row = 0; row < batch.rowCount(); row++) {
          rows.add(new @Nullable Object[schema.length()]);
        }
        for (int i = 0; i < schema.length(); i++) {
          StructField field = schema.at(i);
          if (field.getDataType() instanceof StructType struct) {
            for (int part = 0; part < struct.length(); part++) {
              fill(batch, field.getName() + "." + struct.at(part).getName(), i, struct, part, rows);
            }
          } else if (columns.contains(field.getName())) {
            List<?> values = batch.list(field.getName());
            for (int row = 0; row < rows.size(); row++) {
              rows.get(row)[i] = value(values.get(row), field.getDataType());
            }
          }
        }
        return new FileReadResult(ValueBatch.of(schema, rows), path);
      }
    }

    /// Fills in a part of a struct; the struct is there if any part is.
    private void fill(
        Batch batch,
        String column,
        int place,
        StructType struct,
        int part,
        List<@Nullable Object[]> rows) {
      if (!columns.contains(column)) {
        return;
      }
      List<?> values = batch.list(column);
      for (int row = 0; row < rows.size(); row++) {
        Object value = value(values.get(row), struct.at(part).getDataType());
        if (value != null) {
          @Nullable Object[] made = (@Nullable Object[]) rows.get(row)[place];
          if (made == null) {
            made = new @Nullable Object[struct.length()];
            rows.get(row)[place] = made;
          }
          made[part] = value;
        }
      }
    }

    @Override
    public void close() {
      if (loader != null) {
        loader.close();
      }
    }
  }

  /// Returns a value of a loader in the form of [ValueVector].
  private static @Nullable Object value(@Nullable Object value, DataType type) {
    return switch (value) {
      case null -> null;
      case Map<?, ?> map when type instanceof StructType struct -> {
        @Nullable Object[] made = new @Nullable Object[struct.length()];
        for (int i = 0; i < made.length; i++) {
          made[i] = value(map.get(struct.at(i).getName()), struct.at(i).getDataType());
        }
        yield made;
      }
      case List<?> list when type instanceof MapType entry -> {
        Map<Object, @Nullable Object> made = new LinkedHashMap<>();
        for (Object each : list) {
          Map.Entry<?, ?> pair = (Map.Entry<?, ?>) each;
          Object key = Objects.requireNonNull(pair.getKey(), "the value is null");
          made.put(key, value(pair.getValue(), entry.getValueType()));
        }
        yield made;
      }
      case List<?> list when type instanceof ArrayType array -> {
        List<@Nullable Object> made = new ArrayList<>();
        list.forEach(each -> made.add(value(each, array.getElementType())));
        yield made;
      }
      default -> value;
    };
  }

  @Override
  public CloseableIterator<DataFileStatus> writeParquetFiles(
      String folder, CloseableIterator<FilteredColumnarBatch> rows, List<Column> statistics) {
    throw new UnsupportedOperationException("Penstock writes no tables.");
  }

  @Override
  public void writeParquetFileAtomically(
      String path, CloseableIterator<FilteredColumnarBatch> rows) {
    throw new UnsupportedOperationException("Penstock writes no tables.");
  }
}
