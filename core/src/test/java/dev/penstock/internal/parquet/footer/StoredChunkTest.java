package dev.penstock.internal.parquet.footer;

import static dev.penstock.internal.parquet.footer.Thrift.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.parquet.ParquetFormat;
import dev.penstock.internal.parquet.footer.FooterStatistics.Extent;
import dev.penstock.internal.parquet.footer.FooterStatistics.Indexes;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Chunk;
import dev.penstock.spi.format.ByteString;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.Seeded;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.PageEncodingStats;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.SizeStatistics;
import org.apache.parquet.format.SortingColumn;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.TypeDefinedOrder;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import shaded.parquet.org.apache.thrift.TBase;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TCompactProtocol;
import shaded.parquet.org.apache.thrift.protocol.TField;
import shaded.parquet.org.apache.thrift.protocol.TList;
import shaded.parquet.org.apache.thrift.protocol.TProtocol;
import shaded.parquet.org.apache.thrift.protocol.TStruct;
import shaded.parquet.org.apache.thrift.transport.TIOStreamTransport;

/// Chunks that are read in place, held against thrift's own classes.
class StoredChunkTest {
  private static final int DATA_BYTES = 1 << 20;

  private static final List<CompressionCodec> CODECS =
      List.copyOf(EnumSet.allOf(CompressionCodec.class));

  // Thrift's numbers for types of fields.
  private static final byte I32 = 8;
  private static final byte I64 = 10;
  private static final byte STRUCT = 12;
  private static final byte LIST = 15;

  private static ParquetMetadata read(byte[] footer) throws IOException {
    return (ParquetMetadata) new ParquetFormat().readMetadata(file(footer));
  }

  private static BytesFile file(byte[] footer) {
    ByteBuffer bytes =
        ByteBuffer.allocate(DATA_BYTES + footer.length + 8).order(ByteOrder.LITTLE_ENDIAN);
    bytes
        .position(DATA_BYTES)
        .put(footer)
        .putInt(footer.length)
        .put(new byte[] {'P', 'A', 'R', '1'});
    return new BytesFile(bytes.array());
  }

  private static byte[] bytes(FileMetaData footer) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Util.writeFileMetaData(footer, out);
    return out.toByteArray();
  }

  @Seeded(runs = 60)
  void chunksAreThoseThatThriftReads(Random random) throws IOException {
    FileMetaData footer = footer(random);
    ParquetMetadata metadata = read(bytes(footer));
    List<RowGroup> groups = required(footer.getRow_groups());
    assertThat(metadata.rowGroups()).hasSameSizeAs(groups);
    for (int group = 0; group < groups.size(); group++) {
      RowGroup stated = groups.get(group);
      assertThat(metadata.rowGroups().get(group).rowCount()).isEqualTo(stated.getNum_rows());
      for (int leaf = 0; leaf < required(stated.getColumns()).size(); leaf++) {
        ColumnChunk chunk = required(stated.getColumns()).get(leaf);
        compare(metadata.chunk(group, leaf), chunk);
        compare(metadata.footerStatistics().stated(group, leaf), chunk);
        compare(metadata.footerStatistics().indexes(group, leaf), chunk);
      }
    }
  }

  @Seeded(runs = 5)
  void footersOfOneSchemaShareIt(Random random) throws IOException {
    ParquetFormat format = new ParquetFormat();
    BytesFile file = file(bytes(footer(random)));
    ParquetMetadata first = (ParquetMetadata) format.readMetadata(file);
    ParquetMetadata second = (ParquetMetadata) format.readMetadata(file);
    assertThat(second.columns()).isSameAs(first.columns());
    assertThat(second.heapBytes()).isLessThan(first.heapBytes());
  }

  private static void compare(Chunk ours, ColumnChunk chunk) throws PageException {
    ColumnMetaData data = required(chunk.getMeta_data());
    if ("other.parquet".equals(chunk.getFile_path())) {
      assertThat(ours.refusal())
          .startsWith("Unsupported Parquet file: the column is in another file, 'other.parquet'");
      return;
    }
    long dictionary = data.getDictionary_page_offset();
    boolean isFirst = dictionary > 0 && dictionary < data.getData_page_offset();
    assertThat(ours.offset()).isEqualTo(isFirst ? dictionary : data.getData_page_offset());
    assertThat(ours.bytes()).isEqualTo(data.getTotal_compressed_size());
    assertThat(ours.uncompressedBytes()).isEqualTo(Math.max(0, data.getTotal_uncompressed_size()));
    assertThat(ours.values()).isEqualTo(data.getNum_values());
    assertThat(ours.codec().name()).isEqualTo(required(data.getCodec()).name());
    assertThat(ours.refusal() == null).isEqualTo(data.getCodec() != CompressionCodec.LZO);
    assertThat(ours.codedPages()).isEqualTo(codedPages(data.getEncoding_stats()));
  }

  private static long codedPages(@Nullable List<PageEncodingStats> pages) {
    return pages == null || pages.getLast().getEncoding() != Encoding.RLE_DICTIONARY
        ? 0
        : pages.getLast().getCount();
  }

  private static void compare(StatedStatistics ours, ColumnChunk chunk) throws PageException {
    ColumnMetaData data = required(chunk.getMeta_data());
    Statistics stated = data.getStatistics();
    if (chunk.isSetFile_path()) {
      assertThat(ours).isEqualTo(StatedStatistics.counts(-1, -1, -1));
      return;
    }
    assertThat(ours.values()).isEqualTo(data.getNum_values());
    Statistics known = stated == null ? new Statistics() : stated;
    assertThat(ours.nulls()).isEqualTo(known.isSetNull_count() ? known.getNull_count() : -1);
    assertThat(ours.nans()).isEqualTo(known.isSetNan_count() ? known.getNan_count() : -1);
    boolean isNew = known.isSetMin_value() || known.isSetMax_value();
    boolean isNumber = data.getType() == Type.INT64;
    byte[] oldMin = isNumber ? known.getMin() : null;
    byte[] oldMax = isNumber ? known.getMax() : null;
    compare(ours.min(), isNew ? known.getMin_value() : oldMin);
    compare(ours.max(), isNew ? known.getMax_value() : oldMax);
    if (known.isSetMin_value()) {
      assertThat(ours.minExact()).isEqualTo(known.isIs_min_value_exact());
    }
    if (known.isSetMax_value()) {
      assertThat(ours.maxExact()).isEqualTo(known.isIs_max_value_exact());
    }
  }

  private static void compare(@Nullable ByteString ours, byte @Nullable [] stated) {
    assertThat(ours).isEqualTo(stated == null ? null : ByteString.of(stated));
  }

  private static void compare(Indexes ours, ColumnChunk chunk) throws PageException {
    boolean isHere = !chunk.isSetFile_path();
    ColumnMetaData data = required(chunk.getMeta_data());
    assertThat(ours.columnIndex())
        .isEqualTo(
            new Extent(
                isHere ? chunk.getColumn_index_offset() : 0, chunk.getColumn_index_length()));
    assertThat(ours.offsetIndex())
        .isEqualTo(
            new Extent(
                isHere ? chunk.getOffset_index_offset() : 0, chunk.getOffset_index_length()));
    assertThat(ours.bloomFilter())
        .isEqualTo(
            new Extent(isHere ? data.getBloom_filter_offset() : 0, data.getBloom_filter_length()));
  }

  /// The first row group has too few values, and each chunk lacks its offset, whose type is
  /// changed.
  @Test
  void whatThriftCannotParseComesBeforeContradictions() throws IOException {
    FileMetaData footer = footer(new Random(3));
    required(footer.getRow_groups()).getFirst().setNum_rows(-5);
    assertThatThrownBy(() -> read(bytes(footer)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageStartingWith("Corrupt Parquet file: row group 0 has -5 rows.");
    String bytes = HexFormat.of().formatHex(bytes(footer)).replace("26001c", "24001c");
    assertThatThrownBy(() -> read(HexFormat.of().parseHex(bytes)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining(
            "cannot be parsed (Required field 'file_offset' was not found in serialized data)");
  }

  @Test
  void rowGroupsBeforeTheSchemaAreRefused() throws IOException, TException {
    FileMetaData footer = footer(new Random(3));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    TCompactProtocol protocol = new TCompactProtocol(new TIOStreamTransport(out));
    protocol.writeStructBegin(new TStruct());
    protocol.writeFieldBegin(new TField("", I32, (short) 1));
    protocol.writeI32(footer.getVersion());
    protocol.writeFieldBegin(new TField("", I64, (short) 3));
    protocol.writeI64(footer.getNum_rows());
    write(protocol, 4, required(footer.getRow_groups()));
    write(protocol, 2, required(footer.getSchema()));
    protocol.writeFieldStop();
    protocol.writeStructEnd();
    assertThatThrownBy(() -> read(out.toByteArray()))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageStartingWith(
            "Corrupt Parquet file: its schema does not come before its row groups.");
  }

  private static void write(TProtocol protocol, int field, List<? extends TBase<?, ?>> list)
      throws TException {
    protocol.writeFieldBegin(new TField("", LIST, (short) field));
    protocol.writeListBegin(new TList(STRUCT, list.size()));
    for (TBase<?, ?> each : list) {
      each.write(protocol);
    }
    protocol.writeListEnd();
  }

  /// Returns a footer with whatever the format allows, or leaves out.
  private static FileMetaData footer(Random random) throws PageException {
    int leaves = 1 + random.nextInt(20);
    List<SchemaElement> schema = new ArrayList<>();
    schema.add(new SchemaElement("root").setNum_children(leaves));
    for (int leaf = 0; leaf < leaves; leaf++) {
      schema.add(
          new SchemaElement("column " + leaf + (random.nextBoolean() ? "" : ".\u00e4\u20ac"))
              .setType(random.nextBoolean() ? Type.INT64 : Type.BYTE_ARRAY)
              .setRepetition_type(FieldRepetitionType.OPTIONAL));
    }
    List<RowGroup> groups = new ArrayList<>();
    long rows = 0;
    for (int count = random.nextInt(8); count > 0; count--) {
      long groupRows = random.nextInt(1 << random.nextInt(31));
      List<ColumnChunk> chunks = new ArrayList<>();
      for (SchemaElement leaf : schema.subList(1, schema.size())) {
        chunks.add(chunk(random, leaf, groupRows));
      }
      RowGroup group = new RowGroup(chunks, random.nextInt(), groupRows);
      if (random.nextBoolean()) {
        group.setSorting_columns(List.of(new SortingColumn(0, true, random.nextBoolean())));
        group.setOrdinal((short) groups.size()).setTotal_compressed_size(random.nextLong());
      }
      groups.add(group);
      rows += groupRows;
    }
    FileMetaData footer = new FileMetaData(1, schema, rows, groups);
    footer.setColumn_orders(
        Collections.nCopies(leaves, ColumnOrder.TYPE_ORDER(new TypeDefinedOrder())));
    return footer;
  }

  private static ColumnChunk chunk(Random random, SchemaElement leaf, long rows)
      throws PageException {
    long bytes = random.nextInt(1000);
    ColumnMetaData data =
        new ColumnMetaData(
            required(leaf.getType()),
            List.of(Encoding.RLE, Encoding.PLAIN),
            List.of(required(leaf.getName())),
            CODECS.get(random.nextInt(CODECS.size())),
            rows,
            random.nextLong(),
            bytes,
            random.nextInt(DATA_BYTES - 1000));
    ColumnChunk chunk = new ColumnChunk(0).setMeta_data(data);
    if (random.nextBoolean()) {
      data.setDictionary_page_offset(random.nextInt(DATA_BYTES - 1000));
    }
    if (random.nextBoolean()) {
      data.setEncoding_stats(
          List.of(
              new PageEncodingStats(PageType.DICTIONARY_PAGE, Encoding.PLAIN, 1),
              new PageEncodingStats(
                  random.nextBoolean() ? PageType.DATA_PAGE : PageType.DATA_PAGE_V2,
                  random.nextInt(4) == 0 ? Encoding.PLAIN : Encoding.RLE_DICTIONARY,
                  random.nextInt(3))));
    }
    if (random.nextBoolean()) {
      data.setBloom_filter_offset(random.nextLong()).setBloom_filter_length(random.nextInt());
      data.setKey_value_metadata(List.of(new KeyValue("k").setValue("v"), new KeyValue("")));
    }
    if (random.nextBoolean()) {
      data.setSize_statistics(
          new SizeStatistics()
              .setUnencoded_byte_array_data_bytes(random.nextLong())
              .setDefinition_level_histogram(List.of(0L, random.nextLong())));
    }
    if (random.nextBoolean()) {
      data.setStatistics(statistics(random));
    }
    if (random.nextBoolean()) {
      chunk.setColumn_index_offset(random.nextLong()).setColumn_index_length(random.nextInt());
      chunk.setOffset_index_offset(random.nextLong()).setOffset_index_length(random.nextInt());
    }
    if (random.nextInt(20) == 0) {
      chunk.setFile_path(random.nextBoolean() ? "" : "other.parquet");
    }
    return chunk;
  }

  private static Statistics statistics(Random random) {
    Statistics statistics = new Statistics();
    if (random.nextBoolean()) {
      statistics.setMin(value(random)).setMax(value(random));
    }
    if (random.nextBoolean()) {
      statistics.setMin_value(value(random)).setIs_min_value_exact(random.nextBoolean());
    }
    if (random.nextBoolean()) {
      statistics.setMax_value(value(random)).setIs_max_value_exact(random.nextBoolean());
    }
    if (random.nextBoolean()) {
      statistics.setNull_count(random.nextLong()).setNan_count(random.nextInt());
    }
    return statistics;
  }

  private static byte[] value(Random random) {
    byte[] value = new byte[random.nextInt(40)];
    random.nextBytes(value);
    return value;
  }
}
