package dev.penstock.iceberg;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;

import com.sun.management.OperatingSystemMXBean;
import dev.penstock.DataLoader;
import dev.penstock.LoaderOptions;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.types.Types;

/// Measures what deletes cost: the same files are loaded as a table without and as one with 5 % of
/// the rows deleted by position and 1 % by value, in turn, by the processor time of this JVM.
///
/// A program, not a test: `DeletesBenchmark FOLDER ROUNDS [COLUMN,...]`; it writes the tables into
/// the folder if they are not there. The first epoch has planning, footers, delete files and the
/// pass over the key columns in it.
final class DeletesBenchmark {
  private static final int FILES = 4;
  private static final int FILE_ROWS = 400_000;
  private static final int EPOCHS = 3;

  private DeletesBenchmark() {}

  static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    int rounds = Integer.parseInt(args[1]);
    if (!Files.exists(folder)) {
      write(folder);
    }
    HadoopTables tables = new HadoopTables(new Configuration());
    List<Table> two =
        List.of(
            tables.load(folder.resolve("plain/table").toString()),
            tables.load(folder.resolve("deleted/table").toString()));
    double[][] first = new double[2][rounds];
    double[][] further = new double[2][rounds];
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < 2; i++) {
        int which = (round + i) % 2;
        long start = processorNanos();
        StructuredDataset dataset = new ReadTable(two.get(which)).dataset();
        if (args.length > 2) {
          dataset = dataset.columns(args[2].split(","));
        }
        try (DataLoader loader =
            new DataLoader(dataset, LoaderOptions.defaults().batchSize(4096).workers(1))) {
          load(loader);
          long one = processorNanos();
          for (int epoch = 0; epoch < EPOCHS; epoch++) {
            load(loader);
          }
          first[which][round] = (one - start) / 1e6;
          further[which][round] = (processorNanos() - one) / 1e6 / EPOCHS;
        }
      }
    }
    print("first epoch", first);
    print("further epochs", further);
  }

  private static void print(String what, double[][] millis) {
    double plain = median(millis[0]);
    double deleted = median(millis[1]);
    System.out.printf(
        "%s: %.0f ms without deletes, %.0f ms with: %.2fx%n",
        what, plain, deleted, plain / deleted);
  }

  /// Returns the median of the later two thirds.
  private static double median(double[] values) {
    double[] later = Arrays.copyOfRange(values, values.length / 3, values.length);
    Arrays.sort(later);
    return later[later.length / 2];
  }

  private static long processorNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  private static void load(DataLoader loader) {
    for (Batch batch : loader) {
      batch.close();
    }
  }

  private static Schema schema() {
    List<Types.NestedField> columns = new ArrayList<>();
    columns.add(required(1, "id", Types.LongType.get()));
    for (int i = 0; i < 8; i++) {
      columns.add(optional(2 + i, "f" + i, Types.FloatType.get()));
    }
    for (int i = 0; i < 4; i++) {
      columns.add(optional(10 + i, "n" + i, Types.DoubleType.get()));
    }
    columns.add(optional(14, "text", Types.StringType.get()));
    return new Schema(columns);
  }

  /// Writes the tables: all columns `f` without nulls, in columns `n` each tenth is one.
  private static void write(Path folder) throws IOException {
    PartitionSpec spec = PartitionSpec.unpartitioned();
    WrittenTable plain =
        WrittenTable.withLargeGroups(folder.resolve("plain"), schema(), spec, FileFormat.PARQUET);
    WrittenTable deleted =
        WrittenTable.withLargeGroups(folder.resolve("deleted"), schema(), spec, FileFormat.PARQUET);
    Random random = new Random(1);
    List<DataFile> files = new ArrayList<>();
    for (int file = 0; file < FILES; file++) {
      long firstId = (long) file * FILE_ROWS;
      files.addAll(
          plain.append(
              IntStream.range(0, FILE_ROWS)
                  .mapToObj(row -> row(plain.table().schema(), firstId + row, random))
                  .toList()));
    }
    AppendFiles append = deleted.table().newAppend();
    files.forEach(append::appendFile);
    append.commit();
    Map<DataFile, long[]> places = new HashMap<>();
    for (DataFile file : files) {
      places.put(
          file,
          IntStream.range(0, FILE_ROWS)
              .filter(_ -> random.nextInt(20) == 0)
              .mapToLong(row -> row)
              .toArray());
    }
    deleted.deletePositions(places);
    Schema byId = deleted.table().schema().select("id");
    List<Record> keys = new ArrayList<>();
    for (long id = 0; id < (long) FILES * FILE_ROWS; id++) {
      if (random.nextInt(100) == 0) {
        GenericRecord key = GenericRecord.create(byId);
        key.setField("id", id);
        keys.add(key);
      }
    }
    deleted.deleteEqual(byId, keys, null);
  }

  private static Record row(Schema schema, long id, Random random) {
    GenericRecord row = GenericRecord.create(schema);
    row.setField("id", id);
    for (int i = 0; i < 8; i++) {
      row.setField("f" + i, random.nextFloat());
    }
    for (int i = 0; i < 4; i++) {
      row.setField("n" + i, random.nextInt(10) == 0 ? null : (Object) random.nextDouble());
    }
    row.setField("text", "text" + random.nextInt(500));
    return row;
  }
}
