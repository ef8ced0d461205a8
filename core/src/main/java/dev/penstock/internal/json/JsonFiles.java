package dev.penstock.internal.json;

import dev.penstock.advice.Advice;
import dev.penstock.internal.json.JsonText.MalformedJsonException;
import dev.penstock.internal.memory.ArenaScratch;
import dev.penstock.internal.text.TextBuffer;
import dev.penstock.internal.text.TextForm;
import dev.penstock.internal.text.TextGroups;
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
import java.util.Collections;
import java.util.List;
import java.util.Map;

/// The common part of both JSON formats.
abstract sealed class JsonFiles implements FileFormat permits JsonFormat, JsonLinesFormat {
  /// The most text that types are detected from.
  private static final long SAMPLE_BYTES_MAX = 16 << 20;

  private final String name;
  private final boolean lines; // each record is a line
  private final JsonOptions options;

  JsonFiles(String name, boolean lines, Map<String, String> options) {
    this.name = name;
    this.lines = lines;
    this.options = JsonOptions.of(name, options);
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final byte[] magic() {
    return new byte[0];
  }

  @Override
  public final boolean isRowMajor() {
    return true;
  }

  @Override
  public final FileMetadata readMetadata(StorageFile file) throws IOException {
    return readMetadata(file, Concurrency.NONE);
  }

  @Override
  public final FileMetadata readMetadata(StorageFile file, Concurrency parts) throws IOException {
    TextBuffer.expectSample(file);
    TextForm form = TextForm.of(file, options.form());
    Sample sample = sample(file, form); // first: counting may reuse its text in memory
    TextGroups groups =
        TextGroups.count(
            file, form, form.start(), JsonRecords.scanner(lines), options.cuts(), parts);
    return new JsonMetadata(sample.schema, sample, form, groups);
  }

  /// What the first records tell.
  record Sample(Schema schema, Map<String, Advice> doubts) {}

  private Sample sample(StorageFile file, TextForm form) throws IOException {
    try (ArenaScratch memory = new ArenaScratch();
        TextBuffer window = new TextBuffer(file, form, form.start(), Long.MAX_VALUE >> 1, memory)) {
      JsonRecords records = new JsonRecords(window, lines);
      JsonTypes types = new JsonTypes(records.text, memory);
      long start = form.start().at();
      for (int row = 0; row < options.sampleRows() && records.next(); row++) {
        record(records, types);
        if (records.position() - start > SAMPLE_BYTES_MAX) {
          break;
        }
      }
      window.expectSampleAgain();
      return new Sample(Schema.of(types.fields()), Collections.unmodifiableMap(types.doubts()));
    }
  }

  private static void record(JsonRecords records, JsonTypes types) throws IOException {
    try {
      types.record();
      records.end();
    } catch (MalformedJsonException e) {
      throw records.fail(e);
    }
  }

  @Override
  public final SliceReader openReader(
      StorageFile file,
      FileMetadata metadata,
      Schema columns,
      long firstRow,
      long rowCount,
      ScratchMemory memory)
      throws IOException {
    JsonMetadata json = ReadRequest.metadata(JsonMetadata.class, file, metadata);
    ReadRequest.requireRows(json, firstRow, rowCount);
    TextReader.Run run =
        new TextReader.Run(file, columns, firstRow, rowCount, new ReaderMemory(memory));
    return new JsonReader(run, json, lines, options.strict());
  }

  @Override
  public final List<ByteRange> ranges(
      FileMetadata metadata, Schema columns, long firstRow, long rowCount) {
    return metadata instanceof JsonMetadata known
        ? known.groups().ranges(firstRow, rowCount)
        : List.of();
  }
}
