package dev.penstock.iceberg;

import static org.apache.iceberg.types.Types.NestedField.required;

import dev.penstock.Mixture;
import dev.penstock.Mixture.Stop;
import dev.penstock.StructuredDataset;
import dev.penstock.schema.DataType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;

/// The tables of [ElasticityTest]: one of Iceberg whose rows are deleted by value and by number,
/// Parquet files and a CSV file. Each row of all three has another id.
///
/// @param folder where they are, with a cache
/// @param version the format version of the Iceberg table; rows of version 3 are deleted by vectors
record DrillTables(Path folder, int version) {
  private static final Schema SCHEMA =
      new Schema(
          required(1, "id", Types.LongType.get()), required(2, "pick", Types.IntegerType.get()));

  private static final long PLAIN = 1_000_000;
  private static final long TEXT = 2_000_000;
  private static final String OF_TABLE = "pick < 80";
  private static final String OF_ALL = "pick >= 10";

  /// What a row has in its other column, in `[0, 100)`.
  static int pick(long id) {
    return (int) (((id + 1) * 0x9E37_79B9_7F4A_7C15L) >>> 33) % 100;
  }

  private static boolean isOfAll(long id) {
    return pick(id) >= 10;
  }

  /// Writes them.
  ///
  /// @return the ids of the rows of the mixture
  Set<Long> write(Random random) throws IOException {
    Set<Long> ids = writeTable(random);
    ids.addAll(writePlain(random));
    ids.addAll(writeText(random));
    ids.removeIf(id -> !isOfAll(id));
    return ids;
  }

  private Set<Long> writeTable(Random random) throws IOException {
    WrittenTable written = created("iceberg");
    Set<Long> live = new HashSet<>();
    long next = 0;
    for (int step = 0; step < 3; step++) {
      Map<DataFile, long[]> deleted = new HashMap<>();
      int count = 1 + random.nextInt(2);
      for (int file = 0; file < count; file++) {
        long first = next;
        next += 100 + random.nextInt(500);
        LongStream.range(first, next).forEach(live::add);
        DataFile data = written.append(records(first, next)).getFirst();
        long[] rows =
            LongStream.range(0, next - first).filter(_ -> random.nextInt(9) == 0).toArray();
        LongStream.of(rows).forEach(row -> live.remove(first + row));
        if (rows.length > 0) {
          deleted.put(data, rows);
        }
      }
      if (!deleted.isEmpty()) {
        if (version == 3) {
          written.deleteByVectors(deleted);
        } else {
          written.deletePositions(deleted);
        }
      }
      int pick = 20 + random.nextInt(60); // rows that are written later stay
      GenericRecord key = GenericRecord.create(SCHEMA.select("pick"));
      key.setField("pick", pick);
      written.deleteEqual(SCHEMA.select("pick"), List.of(key), null);
      live.removeIf(id -> pick(id) == pick);
    }
    live.removeIf(id -> pick(id) >= 80);
    return live;
  }

  private Set<Long> writePlain(Random random) throws IOException {
    WrittenTable written = created("plain");
    Set<Long> ids = new HashSet<>();
    for (int file = 0; file < 2; file++) {
      long first = PLAIN + ids.size();
      long end = first + 20 + random.nextInt(500);
      written.append(records(first, end));
      LongStream.range(first, end).forEach(ids::add);
    }
    return ids;
  }

  private Set<Long> writeText(Random random) throws IOException {
    Set<Long> ids = new HashSet<>();
    StringBuilder text = new StringBuilder("id,pick\n");
    long end = TEXT + 30 + random.nextInt(100);
    for (long id = TEXT; id < end; id++) {
      text.append(id).append(',').append(pick(id)).append('\n');
      ids.add(id);
    }
    Files.writeString(folder.resolve("rows.csv"), text);
    return ids;
  }

  private WrittenTable created(String name) {
    return WrittenTable.create(
        folder.resolve(name), SCHEMA, PartitionSpec.unpartitioned(), version, FileFormat.PARQUET);
  }

  private static List<Record> records(long from, long to) {
    return LongStream.range(from, to)
        .mapToObj(id -> {
          GenericRecord row = GenericRecord.create(SCHEMA);
          row.setField("id", id);
          row.setField("pick", pick(id));
          return (Record) row;
        })
        .toList();
  }

  /// The rows that the table has in [#mixture()].
  StructuredDataset table() {
    return cached(IcebergDataset.metadata(folder + "/iceberg/table").dataset())
        .where(OF_TABLE + " and " + OF_ALL);
  }

  /// All rows, each once.
  StructuredDataset mixture() {
    StructuredDataset table =
        cached(IcebergDataset.metadata(folder + "/iceberg/table").dataset()).where(OF_TABLE);
    StructuredDataset plain =
        cached(new StructuredDataset(folder + "/plain/table/data").format("parquet"));
    StructuredDataset text =
        cached(new StructuredDataset(folder + "/rows.csv").cast("pick", DataType.int32()));
    return new StructuredDataset(
            Mixture.of(table, 0.5).and(plain, 0.4).and(text, 0.1).stop(Stop.ALL))
        .where(OF_ALL);
  }

  /// Returns which rows are those of [#table()].
  static Set<Long> ofTable(Set<Long> ids) {
    Set<Long> own = new HashSet<>(ids);
    own.removeIf(id -> id >= PLAIN);
    return own;
  }

  private StructuredDataset cached(StructuredDataset dataset) {
    return dataset.columns("id", "pick").cache(folder + "/cache", "64MiB");
  }
}
