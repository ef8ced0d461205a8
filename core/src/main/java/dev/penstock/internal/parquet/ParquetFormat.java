package dev.penstock.internal.parquet;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.parquet.footer.FooterReader;
import dev.penstock.internal.parquet.footer.Int96Form;
import dev.penstock.internal.parquet.footer.LastFooter;
import dev.penstock.internal.parquet.footer.ParquetMetadata;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.BloomFilter;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.spi.format.ReadRequest;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Apache Parquet. The options are in docs/reference/parquet.md.
public final class ParquetFormat implements FileFormat {
  private static final String PAGE_INDEX = "page-index"; // option: whether page indexes are used
  private static final String INT96_UNIT = "int96-unit"; // option: the unit of INT96 timestamps
  private static final String INT96_ZONE = "int96-zone"; // option: the zone of INT96 timestamps
  private final boolean pageIndex;
  private final Int96Form int96;
  private final LastFooter last;

  public ParquetFormat() {
    this(true, Int96Form.DEFAULT);
  }

  private ParquetFormat(boolean pageIndex, Int96Form int96) {
    this.pageIndex = pageIndex;
    this.int96 = int96;
    this.last = new LastFooter(int96);
  }

  @Override
  public FileFormat withOptions(Map<String, String> options) {
    boolean used = pageIndex;
    boolean micros = int96.unit() == TimeUnit.MICROS;
    boolean utc = int96.utc();
    for (Map.Entry<String, String> option : options.entrySet()) {
      String value = option.getValue();
      switch (option.getKey()) {
        case PAGE_INDEX -> used = choice(PAGE_INDEX, value, "use", "ignore");
        case INT96_UNIT -> micros = choice(INT96_UNIT, value, "us", "ns");
        case INT96_ZONE -> utc = choice(INT96_ZONE, value, "utc", "none");
        default ->
            throw wrong(
                option.getKey(),
                name() + " has no such option. Options are: [int96-unit, int96-zone, page-index]");
      }
    }
    return new ParquetFormat(used, new Int96Form(micros ? TimeUnit.MICROS : TimeUnit.NANOS, utc));
  }

  private static boolean choice(String option, String value, String yes, String no) {
    if (!value.equals(yes) && !value.equals(no)) {
      throw wrong(option, "it is '" + value + "' but expected " + yes + " or " + no);
    }
    return value.equals(yes);
  }

  private static IllegalArgumentException wrong(String option, String found) {
    return Advice.argumentError("Cannot use %s: %s.", Remedy.formatOption(option), found);
  }

  @Override
  public String name() {
    return "parquet";
  }

  @Override
  public List<String> extensions() {
    return List.of("parquet", "parq", "pq");
  }

  @Override
  public byte[] magic() {
    return "PAR1".getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public FileMetadata readMetadata(StorageFile file) throws IOException {
    return FooterReader.read(file, last, pageIndex);
  }

  @Override
  public SliceReader openReader(
      StorageFile file,
      FileMetadata metadata,
      Schema columns,
      long firstRow,
      long rowCount,
      ScratchMemory memory)
      throws IOException {
    return new ParquetReader(file, parquet(file, metadata), columns, firstRow, rowCount, memory);
  }

  @Override
  public List<ByteRange> ranges(
      FileMetadata metadata, Schema columns, long firstRow, long rowCount) {
    return metadata instanceof ParquetMetadata parquet
        ? ReadRanges.ofRows(parquet, columns, firstRow, rowCount)
        : List.of();
  }

  @Override
  public List<PageStatistics> pageStatistics(
      StorageFile file, FileMetadata metadata, int rowGroup, String column) throws IOException {
    return PageIndexReader.pages(file, parquet(file, metadata), rowGroup, column);
  }

  @Override
  public List<ByteRange> pageStatisticsRanges(FileMetadata metadata, int rowGroup, String column) {
    return metadata instanceof ParquetMetadata parquet
        ? ReadRanges.ofPages(parquet, rowGroup, column)
        : List.of();
  }

  @Override
  public List<ByteRange> bloomFilterRanges(FileMetadata metadata, int rowGroup, String column) {
    return metadata instanceof ParquetMetadata parquet
        ? ReadRanges.ofValues(parquet, rowGroup, column)
        : List.of();
  }

  @Override
  public Optional<BloomFilter> bloomFilter(
      StorageFile file, FileMetadata metadata, int rowGroup, String column) throws IOException {
    ParquetMetadata known = parquet(file, metadata);
    Optional<BloomFilter> filter = SplitBlockFilter.open(file, known, rowGroup, column);
    return filter.isPresent() ? filter : DictionaryFilter.open(file, known, rowGroup, column);
  }

  private static ParquetMetadata parquet(StorageFile file, FileMetadata metadata) {
    return ReadRequest.metadata(ParquetMetadata.class, file, metadata);
  }
}
