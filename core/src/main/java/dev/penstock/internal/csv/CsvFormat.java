package dev.penstock.internal.csv;

import dev.penstock.internal.text.TextForm;
import dev.penstock.internal.text.TextReader;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.Concurrency;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.ReadRequest;
import dev.penstock.spi.format.ReaderMemory;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/// Comma-separated values, plain or compressed.
public final class CsvFormat implements FileFormat {
  private final CsvOptions options;

  public CsvFormat() {
    this(CsvOptions.of(Map.of()));
  }

  private CsvFormat(CsvOptions options) {
    this.options = options;
  }

  @Override
  public String name() {
    return "csv";
  }

  @Override
  public List<String> extensions() {
    return TextForm.extensions("csv", "tsv");
  }

  @Override
  public byte[] magic() {
    return new byte[0];
  }

  @Override
  public FileFormat withOptions(Map<String, String> changed) {
    return new CsvFormat(CsvOptions.of(changed));
  }

  @Override
  public boolean mayBeEmpty() {
    return true;
  }

  @Override
  public boolean isRowMajor() {
    return true;
  }

  @Override
  public FileMetadata readMetadata(StorageFile file) throws IOException {
    return readMetadata(file, Concurrency.NONE);
  }

  @Override
  public FileMetadata readMetadata(StorageFile file, Concurrency parts) throws IOException {
    return CsvProbe.read(file, options, parts);
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
    CsvMetadata csv = ReadRequest.metadata(CsvMetadata.class, file, metadata);
    ReadRequest.requireRows(csv, firstRow, rowCount);
    TextReader.Run run =
        new TextReader.Run(file, columns, firstRow, rowCount, new ReaderMemory(memory));
    return new CsvReader(run, csv, options);
  }

  @Override
  public List<ByteRange> ranges(
      FileMetadata metadata, Schema columns, long firstRow, long rowCount) {
    return metadata instanceof CsvMetadata known
        ? known.groups().ranges(firstRow, rowCount)
        : List.of();
  }
}
