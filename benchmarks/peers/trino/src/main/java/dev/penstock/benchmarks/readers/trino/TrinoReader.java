package dev.penstock.benchmarks.readers.trino;

import dev.penstock.benchmarks.readers.Buffers;
import dev.penstock.benchmarks.readers.Reader;
import dev.penstock.benchmarks.readers.Table;
import dev.penstock.benchmarks.readers.Table.Kind;
import io.trino.memory.context.AggregatedMemoryContext;
import io.trino.parquet.Column;
import io.trino.parquet.ParquetReaderOptions;
import io.trino.parquet.ParquetTypeUtils;
import io.trino.parquet.metadata.ParquetMetadata;
import io.trino.parquet.predicate.PredicateUtils;
import io.trino.parquet.predicate.TupleDomainParquetPredicate;
import io.trino.parquet.reader.MetadataReader;
import io.trino.parquet.reader.ParquetReader;
import io.trino.parquet.reader.RowGroupInfo;
import io.trino.spi.block.ArrayBlock;
import io.trino.spi.block.Block;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.IntegerType;
import io.trino.spi.type.RealType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.schema.MessageType;
import org.joda.time.DateTimeZone;

/// Trino's Parquet reader, as its connectors use it.
///
/// It makes pages of at most 8,192 rows on the heap, of plain or dictionary blocks; their values
/// are copied to one off-heap buffer for each column, nulls as NaN. Texts stay as they are.
public final class TrinoReader implements Reader {
  private final List<MemorySegment> targets = new ArrayList<>();

  /// Makes the reader.
  public TrinoReader() {}

  @Override
  public String name() {
    return "Trino";
  }

  @Override
  public void read(Scan scan, Sink sink) throws IOException {
    List<Table.Column> columns = scan.table().columns();
    while (targets.size() < columns.size()) {
      long bytes = (long) BATCH_ROWS * columns.get(targets.size()).kind().bytes();
      targets.add(Arena.global().allocate(bytes, 64));
    }
    Buffers buffers = new Buffers(columns.size());
    ParquetReaderOptions options = ParquetReaderOptions.defaultOptions();
    try (FileSource source = new FileSource(scan.file(), options);
        ParquetReader reader = open(source, scan, options)) {
      for (SourcePage page = reader.nextPage(); page != null; page = reader.nextPage()) {
        int rows = page.getPositionCount();
        buffers.rows(rows);
        for (int i = 0; i < columns.size(); i++) {
          set(buffers, i, columns.get(i).kind(), page.getBlock(i), rows);
        }
        sink.accept(buffers);
      }
    }
  }

  private static ParquetReader open(FileSource source, Scan scan, ParquetReaderOptions options)
      throws IOException {
    ParquetMetadata metadata = MetadataReader.readFooter(source, Optional.empty());
    MessageType schema = metadata.getFileMetaData().getSchema();
    MessageColumnIO io = ParquetTypeUtils.getColumnIO(schema, schema);
    List<Column> columns = new ArrayList<>();
    for (Table.Column column : scan.table().columns()) {
      columns.add(
          new Column(
              column.name(),
              ParquetTypeUtils.constructField(
                      type(column.kind()), ParquetTypeUtils.lookupColumnByName(io, column.name()))
                  .orElseThrow()));
    }
    Map<List<String>, ColumnDescriptor> descriptors =
        ParquetTypeUtils.getDescriptors(schema, schema);
    TupleDomain<ColumnDescriptor> all = TupleDomain.all();
    TupleDomainParquetPredicate predicate =
        PredicateUtils.buildPredicate(schema, all, descriptors, DateTimeZone.UTC);
    List<RowGroupInfo> groups =
        PredicateUtils.getFilteredRowGroups(
            0,
            scan.file().toFile().length(),
            source,
            metadata,
            List.of(all),
            List.of(predicate),
            descriptors,
            DateTimeZone.UTC,
            1000,
            options);
    return new ParquetReader(
        Optional.ofNullable(metadata.getFileMetaData().getCreatedBy()),
        columns,
        false,
        groups,
        source,
        DateTimeZone.UTC,
        AggregatedMemoryContext.newSimpleAggregatedMemoryContext(),
        options,
        RuntimeException::new,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static Type type(Kind kind) {
    return switch (kind) {
      case DOUBLE -> DoubleType.DOUBLE;
      case FLOAT -> RealType.REAL;
      case INT -> IntegerType.INTEGER;
      case LONG -> BigintType.BIGINT;
      case TEXT -> VarcharType.VARCHAR;
      case VECTOR -> new ArrayType(RealType.REAL);
    };
  }

  private void set(Buffers buffers, int index, Kind kind, Block block, int rows) {
    MemorySegment target = targets.get(index).asSlice(0, (long) rows * kind.bytes());
    switch (kind) {
      case DOUBLE, LONG -> {
        BlockCopy.longs(block, rows, target);
        buffers.set(index, target);
      }
      case FLOAT, INT -> {
        BlockCopy.ints(block, 0, rows, target);
        buffers.set(index, target);
      }
      case TEXT ->
          buffers.setTexts(
              index,
              MemorySegment.NULL,
              row -> VarcharType.VARCHAR.getSlice(block, row).toStringUtf8());
      case VECTOR -> {
        ArrayBlock lists = (ArrayBlock) block;
        int[] offsets = lists.getRawOffsets();
        int start = offsets[lists.getOffsetBase()];
        int end = offsets[lists.getOffsetBase() + rows];
        if (end - start != rows * Table.VECTOR) {
          throw new IllegalStateException("Cannot compare lists of several lengths.");
        }
        BlockCopy.ints(lists.getRawElementBlock(), start, end - start, target);
        buffers.set(index, target);
      }
    }
  }
}
