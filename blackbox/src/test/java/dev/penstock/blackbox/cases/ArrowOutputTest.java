package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.arrow.ArrowBatches;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.contract.Failure;
import dev.penstock.blackbox.contract.Leaks;
import dev.penstock.blackbox.contract.Workers;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.Schemas;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.blackbox.files.Vectors;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Table;
import dev.penstock.testing.Seeded;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.ReferenceManager;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.util.TransferPair;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Batches as Arrow vectors. That they deliver the rows in every situation is shown by the
/// contracts, which run over every output format.
class ArrowOutputTest {
  private static final DataType INT64 = new DataType.Int(64, true);
  private static final DataType TEXT = new DataType.Utf8();

  /// The type of each of [#types].
  private static final String EXPECTED =
      """
      Bool
      Int(8, true)
      Int(16, true)
      Int(32, true)
      Int(64, true)
      Int(8, false)
      Int(16, false)
      Int(32, false)
      Int(64, false)
      FloatingPoint(HALF)
      FloatingPoint(SINGLE)
      FloatingPoint(DOUBLE)
      Decimal(9, 2, 128)
      Decimal(18, 5, 128)
      Decimal(38, 10, 128)
      Date(DAY)
      Time(MILLISECOND, 32)
      Time(MICROSECOND, 64)
      Time(NANOSECOND, 64)
      Timestamp(MILLISECOND, UTC)
      Timestamp(MICROSECOND, null)
      Timestamp(NANOSECOND, UTC)
      Utf8
      Binary
      FixedSizeBinary(5)
      FixedSizeBinary(16)
      Decimal(60, 4, 256)
      FixedSizeBinary(12)
      List<element: Int(64, true)>
      List<element: List<element: Utf8 not null>>
      Struct<a: Int(64, true) not null, b: Utf8>
      Map(false)<entries: Struct<key: Utf8 not null, value: Struct<a: Int(64, true) not null, b: Utf8>> not null>
      """;

  @TempDir Path folder;

  @AfterEach
  void nothingIsLeft() {
    assertThat(ArrowBatches.allocator().getAllocatedMemory()).isZero();
  }

  private StructuredDataset dataset(Table table) throws IOException {
    return new StructuredDataset(new ParquetFiles().write(folder, table, new Random(1)).toString());
  }

  /// Returns a file of one row group with a column `id` that counts, and `name` that says the same.
  private StructuredDataset counting(int rows) throws IOException {
    Schema schema =
        Schema.of(List.of(new Field("id", INT64, false), new Field("name", TEXT, true)));
    List<List<Object>> values = new ArrayList<>();
    for (long i = 0; i < rows; i++) {
      values.add(List.of(i, "row " + i));
    }
    return dataset(new Table(schema, List.of(new Table.DataFile("part-0", List.of(values)))));
  }

  private static LoaderOptions options() {
    return LoaderOptions.defaults().workers(1).output(OutputFormat.ARROW);
  }

  private static List<List<Object>> rows(VectorSchemaRoot root, Schema schema) {
    List<List<Object>> rows = new ArrayList<>();
    for (int row = 0; row < root.getRowCount(); row++) {
      List<Object> values = new ArrayList<>();
      for (Field field : schema.fields()) {
        values.add(Vectors.value(root.getVector(field.name()), field.type(), row));
      }
      rows.add(values);
    }
    return rows;
  }

  @Seeded(runs = 60)
  void vectorsHoldTheRowsAndComeThroughAStreamUnchanged(Random random) throws IOException {
    Table table = Tables.random(random, random.nextInt(4));
    StructuredDataset dataset = dataset(table);
    int batchSize = 1 + random.nextInt(200);
    for (int workers : Workers.COUNTS) {
      List<List<Object>> delivered = new ArrayList<>();
      List<List<Object>> streamed = new ArrayList<>();
      try (DataLoader loader =
          DataLoader.of(dataset, options().workers(workers).batchSize(batchSize))) {
        for (Batch batch : loader) {
          try (batch) {
            VectorSchemaRoot root = ArrowBatches.root(batch);
            assertThat(root.getRowCount()).isEqualTo(batch.rowCount());
            delivered.addAll(rows(root, table.schema()));
            streamed.addAll(throughStream(root, table.schema()));
          }
        }
      }
      assertThat(delivered).as("%s, %s workers", table, workers).isEqualTo(table.rows());
      assertThat(streamed).isEqualTo(delivered);
    }
  }

  private static List<List<Object>> throughStream(VectorSchemaRoot root, Schema schema)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ArrowStreamWriter writer = new ArrowStreamWriter(root, null, bytes)) {
      writer.writeBatch();
    }
    try (BufferAllocator allocator = new RootAllocator();
        ArrowStreamReader reader =
            new ArrowStreamReader(new ByteArrayInputStream(bytes.toByteArray()), allocator)) {
      assertThat(reader.loadNextBatch()).isTrue();
      VectorSchemaRoot read = reader.getVectorSchemaRoot();
      assertThat(read.getSchema()).isEqualTo(root.getSchema());
      for (FieldVector vector : read.getFieldVectors()) {
        assertThat(vector.getNullCount())
            .isEqualTo(root.getVector(vector.getName()).getNullCount());
      }
      return rows(read, schema);
    }
  }

  /// The types are those that pyarrow 26.0 reads from the same file, but for three: it calls the
  /// entries of a map by the column's name, has no type for intervals, and knows `arrow.uuid`.
  @Test
  void fieldsAreThoseOfArrowsOwnParquetReader() throws IOException {
    Schema schema = Schemas.of(types());
    Table table = new Table(schema, List.of(Table.file(new Random(3), schema, "part-0", 50, 20)));
    try (DataLoader loader = DataLoader.of(dataset(table), options());
        Batch batch = loader.iterator().next()) {
      VectorSchemaRoot root = ArrowBatches.root(batch);
      assertThat(rows(root, schema)).isEqualTo(table.rows());
      List<String> fields = new ArrayList<>();
      for (String type : EXPECTED.lines().toList()) {
        fields.add("r" + fields.size() + ": " + type + " not null");
        fields.add("n" + fields.size() + ": " + type);
      }
      assertThat(root.getSchema().getFields().stream().map(Object::toString))
          .containsExactlyElementsOf(fields);
      assertThat(root.getSchema().findField("n51").getMetadata())
          .containsEntry("ARROW:extension:name", "arrow.uuid");
    }
  }

  /// Refuses to allocate, so that every buffer lies in memory that was there before.
  private static final class Refusing implements AllocationManager.Factory {
    @Override
    public AllocationManager create(BufferAllocator allocator, long size) {
      throw new AssertionError("Arrow allocates " + size + " bytes of its own");
    }

    @Override
    public ArrowBuf empty() {
      return new ArrowBuf(ReferenceManager.NO_OP, null, 0, 0);
    }
  }

  @Test
  void arrowAllocatesNothingOfItsOwn() throws IOException {
    Table table = Table.random(new Random(5), Schemas.of(types()));
    BufferAllocator allocator =
        new RootAllocator(
            RootAllocator.configBuilder().allocationManagerFactory(new Refusing()).build());
    List<List<Object>> delivered = new ArrayList<>();
    try (allocator;
        DataLoader loader = DataLoader.of(dataset(table), options().batchSize(50))) {
      for (Batch batch : loader) {
        try (batch) {
          delivered.addAll(rows(ArrowBatches.root(batch, allocator), table.schema()));
          assertThat(allocator.getAllocatedMemory())
              .isPositive()
              .isLessThanOrEqualTo(loader.stats().memory().bytes());
        }
        assertThat(allocator.getAllocatedMemory()).isZero();
      }
    }
    assertThat(delivered).isEqualTo(table.rows());
  }

  private static List<DataType> types() {
    DataType struct =
        new DataType.Struct(List.of(new Field("a", INT64, false), new Field("b", TEXT, true)));
    List<DataType> types = new ArrayList<>(Table.TYPES);
    types.addAll(
        List.of(
            new DataType.Decimal(60, 4),
            new DataType.Interval(),
            new DataType.List(INT64, true),
            new DataType.List(new DataType.List(TEXT, false), true),
            struct,
            new DataType.Map(TEXT, struct, true)));
    return types;
  }

  @Test
  void closedBatchCannotBeRead() throws IOException {
    try (DataLoader loader = DataLoader.of(counting(100), options())) {
      Batch batch = loader.iterator().next();
      VectorSchemaRoot root = ArrowBatches.root(batch);
      BigIntVector ids = (BigIntVector) root.getVector("id");
      VarCharVector names = (VarCharVector) root.getVector("name");
      ArrowBuf values = ids.getDataBuffer();
      assertThat(ids.get(99)).isEqualTo(99);
      batch.close();
      batch.close();

      assertThatThrownBy(() -> ids.get(99)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> names.get(0)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> values.getLong(0)).isInstanceOf(IllegalStateException.class);
      assertThat(root.getVector("id").getValueCount()).isZero();
      assertThatIllegalStateException()
          .isThrownBy(() -> ArrowBatches.root(batch))
          .withMessageStartingWith("Cannot use this batch: it is closed");
      assertThatIllegalStateException()
          .isThrownBy(() -> batch.column("id"))
          .withMessageStartingWith("Cannot use this batch: it is closed");
    }
  }

  @Test
  void closingTheRootFirstGivesTheMemoryBackOnce() throws IOException {
    DataLoader loader = DataLoader.of(counting(1000), options().batchSize(100));
    try (loader) {
      for (Batch batch : loader) {
        try (batch) {
          ArrowBatches.root(batch).close();
        }
      }
    }
    Leaks.assertNone(loader, folder);
  }

  @Test
  void memoryOfARetainedBufferStaysUntilItIsReleased() throws IOException {
    DataLoader loader = DataLoader.of(counting(1000), options().batchSize(100));
    List<ArrowBuf> kept = new ArrayList<>();
    try (loader) {
      for (Batch batch : loader) {
        try (batch) {
          ArrowBuf values = ArrowBatches.root(batch).getVector("id").getDataBuffer();
          values.getReferenceManager().retain();
          kept.add(values);
        }
      }
    }
    // Were the memory used again, later batches would have overwritten earlier ones.
    for (int i = 0; i < 1000; i++) {
      assertThat(kept.get(i / 100).getLong(i % 100 * 8L)).isEqualTo(i);
    }
    assertThat(loader.stats().memory().bytes()).isPositive();
    kept.forEach(buffer -> buffer.getReferenceManager().release());
    Leaks.assertNone(loader, folder);
  }

  @Test
  void vectorTransferredOutOfTheRootOutlivesBatchAndLoader() throws IOException {
    DataLoader loader = DataLoader.of(counting(100), options());
    try (BufferAllocator allocator = new RootAllocator()) {
      FieldVector mine;
      try (loader) {
        Batch batch = loader.iterator().next();
        VectorSchemaRoot root = ArrowBatches.root(batch, allocator);
        TransferPair transfer = root.getVector("name").getTransferPair(allocator);
        transfer.transfer();
        mine = (FieldVector) transfer.getTo();
        batch.close();
      }
      assertThat(mine.getObject(99)).hasToString("row 99");
      assertThat(loader.stats().memory().bytes()).isPositive();
      mine.close();
    }
    Leaks.assertNone(loader, folder);
  }

  @Test
  void allocatorThatAllowsLessIsAnErrorAndLeavesNothing() throws IOException {
    DataLoader loader = DataLoader.of(counting(100), options());
    try (loader;
        BufferAllocator tight = new RootAllocator(900);
        BufferAllocator wide = new RootAllocator();
        BufferAllocator other = new RootAllocator();
        Batch batch = loader.iterator().next()) {
      assertThatThrownBy(() -> ArrowBatches.root(batch, tight))
          .isInstanceOf(OutOfMemoryException.class);
      assertThat(tight.getAllocatedMemory()).isZero();

      VectorSchemaRoot root = ArrowBatches.root(batch, wide);
      assertThat(root.getVector("name").getObject(7)).hasToString("row 7");
      assertThat(ArrowBatches.root(batch)).isSameAs(root);
      assertThatIllegalStateException()
          .isThrownBy(() -> ArrowBatches.root(batch, other))
          .withMessage(
              "Cannot make the batch's vectors with allocator 'ROOT': they were made with another"
                  + " one before.");
    }
    Leaks.assertNone(loader, folder);
  }

  @Test
  void columnsAreVectorsAndNothingElse() throws IOException {
    try (DataLoader loader = DataLoader.of(counting(100), options());
        Batch batch = loader.iterator().next()) {
      assertThat(batch.names()).containsExactly("id", "name");
      assertThat(batch.column("id")).isSameAs(ArrowBatches.root(batch).getVector("id"));
      assertThatThrownBy(() -> batch.tensor("id"))
          .isInstanceOf(NoSuchElementException.class)
          .hasMessage(
              "Cannot read column 'id' as Tensor: it is held as a BigIntVector. Use column(\"id\").");
      assertThatThrownBy(() -> batch.column("x"))
          .hasMessage(
              "Cannot read column 'x': no such column in the batch. Columns are: [id, name].");
    }
  }

  @Test
  void batchOfAnotherFormatHasNoVectors() throws IOException {
    LoaderOptions tensors = options().output(OutputFormat.TENSOR);
    try (DataLoader loader = DataLoader.of(counting(100), tensors);
        Batch batch = loader.iterator().next()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ArrowBatches.root(batch))
          .withMessage(
              "Cannot read Batch of 100 rows [id, name] as Arrow vectors: it was not delivered as"
                  + " such. Use LoaderOptions.output(OutputFormat.ARROW).");
    }
  }

  @Test
  void nullsStayNullsUnderEveryPolicyButError() throws IOException {
    Schema schema = Schema.of(List.of(new Field("id", INT64, true)));
    List<List<Object>> rows = List.of(List.of(1L), Collections.singletonList(null));
    StructuredDataset dataset =
        dataset(new Table(schema, List.of(new Table.DataFile("part-0", List.of(rows)))));
    for (NullPolicy policy : List.of(NullPolicy.nan(), NullPolicy.fill(0), NullPolicy.mask())) {
      try (DataLoader loader = DataLoader.of(dataset, options().nulls(policy));
          Batch batch = loader.iterator().next()) {
        assertThat(batch.names()).containsExactly("id");
        assertThat(rows(ArrowBatches.root(batch), schema)).isEqualTo(rows);
      }
    }
    Failure.of(dataset, options().nulls(NullPolicy.error()))
        .hasMessageStartingWith("Cannot batch column 'id': row 1 is null");
  }

  @Test
  void featureMatrixIsRefused() throws IOException {
    try (DataLoader loader = DataLoader.of(counting(1), options().features("x", "id"))) {
      assertThatIllegalArgumentException()
          .isThrownBy(loader::iterator)
          .withMessage(
              "Cannot make feature matrix 'x' under OutputFormat.ARROW, which has columns only."
                  + " Leave features() out, or use OutputFormat.TENSOR.");
    }
  }

  @Test
  void rowsThatFailAreDecodedAgainWithoutLosingOnesBefore() throws IOException {
    Schema schema = Schema.of(List.of(new Field("name", TEXT, true), new Field("id", INT64, true)));
    List<List<Object>> rows = new ArrayList<>();
    for (long i = 0; i < 250; i++) {
      rows.add(Arrays.asList("row " + i, i == 207 ? null : (Object) i));
    }
    StructuredDataset dataset =
        dataset(new Table(schema, List.of(new Table.DataFile("part-0", List.of(rows)))));
    Failure failure = Failure.meet(dataset, options().batchSize(100).nulls(NullPolicy.error()));
    assertThat(failure.batches()).containsExactly(100, 100);
    assertThat(failure.thrown()).hasMessageContaining("row 207");
  }
}
