package dev.penstock.internal.parquet.footer;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.parquet.footer.FooterStatistics.Extent;
import dev.penstock.internal.parquet.footer.FooterStatistics.Indexes;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Chunk;
import dev.penstock.spi.format.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.StringJoiner;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TProtocolException;

/// A column chunk as a footer states it: one object that is filled with chunk after chunk.
///
/// A number that is not stated is 0; of nulls and NaNs, or a range of bytes, -1.
final class StoredChunk {
  // The fields of ColumnChunk,
  private static final int FILE_PATH = 1 << 4 | CompactInput.BINARY;
  private static final int FILE_OFFSET = 2 << 4 | CompactInput.I64;
  private static final int META_DATA = 3 << 4 | CompactInput.STRUCT;
  private static final int OFFSET_INDEX_OFFSET = 4 << 4 | CompactInput.I64;
  private static final int OFFSET_INDEX_LENGTH = 5 << 4 | CompactInput.I32;
  private static final int COLUMN_INDEX_OFFSET = 6 << 4 | CompactInput.I64;
  private static final int COLUMN_INDEX_LENGTH = 7 << 4 | CompactInput.I32;
  private static final int CRYPTO_METADATA = 8 << 4 | CompactInput.STRUCT;

  // of ColumnMetaData,
  private static final int TYPE = 1 << 4 | CompactInput.I32;
  private static final int ENCODINGS = 2 << 4 | CompactInput.LIST;
  private static final int PATH_IN_SCHEMA = 3 << 4 | CompactInput.LIST;
  private static final int CODEC = 4 << 4 | CompactInput.I32;
  private static final int NUM_VALUES = 5 << 4 | CompactInput.I64;
  private static final int UNCOMPRESSED_SIZE = 6 << 4 | CompactInput.I64;
  private static final int COMPRESSED_SIZE = 7 << 4 | CompactInput.I64;
  private static final int DATA_PAGE_OFFSET = 9 << 4 | CompactInput.I64;
  private static final int DICTIONARY_PAGE_OFFSET = 11 << 4 | CompactInput.I64;
  private static final int STATISTICS = 12 << 4 | CompactInput.STRUCT;
  private static final int ENCODING_STATS = 13 << 4 | CompactInput.LIST;
  private static final int BLOOM_FILTER_OFFSET = 14 << 4 | CompactInput.I64;
  private static final int BLOOM_FILTER_LENGTH = 15 << 4 | CompactInput.I32;
  private static final int SIZE_STATISTICS = 16 << 4 | CompactInput.STRUCT;
  private static final int DATA_REQUIRED = 0b10_1111_1110; // 1 to 7, and 9

  // of PageEncodingStats,
  private static final int PAGE_TYPE = 1 << 4 | CompactInput.I32;
  private static final int ENCODING = 2 << 4 | CompactInput.I32;
  private static final int COUNT = 3 << 4 | CompactInput.I32;
  private static final int PAGES_REQUIRED = 0b1110;

  // of SizeStatistics,
  private static final int REPETITION_LEVELS = 2 << 4 | CompactInput.LIST;
  private static final int DEFINITION_LEVELS = 3 << 4 | CompactInput.LIST;

  // and of Statistics.
  private static final int MAX = 1 << 4 | CompactInput.BINARY;
  private static final int MIN = 2 << 4 | CompactInput.BINARY;
  private static final int NULL_COUNT = 3 << 4 | CompactInput.I64;
  private static final int MAX_VALUE = 5 << 4 | CompactInput.BINARY;
  private static final int MIN_VALUE = 6 << 4 | CompactInput.BINARY;
  private static final int MAX_EXACT = 7 << 4 | CompactInput.TRUE;
  private static final int MAX_CUT = 7 << 4 | CompactInput.FALSE;
  private static final int MIN_EXACT = 8 << 4 | CompactInput.TRUE;
  private static final int MIN_CUT = 8 << 4 | CompactInput.FALSE;
  private static final int NAN_COUNT = 9 << 4 | CompactInput.I64;

  private final CompactInput input;

  private long filePath;
  private boolean isEncrypted;
  private boolean hasData;
  private long offsetIndexOffset;
  private int offsetIndexLength;
  private long columnIndexOffset;
  private int columnIndexLength;

  private int dataSeen; // which fields of ColumnMetaData, as bits
  private int type;
  private int path; // where the list of names begins
  private Codec codec = Codec.UNCOMPRESSED;
  private long values;
  private long uncompressedBytes;
  private long bytes;
  private long dataOffset;
  private long dictionaryOffset;
  private long codedPages;
  private long bloomFilterOffset;
  private int bloomFilterLength;

  private long nulls;
  private long nans;
  private long oldMin;
  private long oldMax;
  private long min;
  private long max;
  private int minExact; // 1 if true, 0 if false
  private int maxExact;

  StoredChunk(CompactInput input) {
    this.input = input;
  }

  /// Reads the chunk that begins where the input is.
  void read() throws TException {
    filePath = -1;
    isEncrypted = false;
    offsetIndexOffset = 0;
    offsetIndexLength = 0;
    columnIndexOffset = 0;
    columnIndexLength = 0;
    clearData();
    hasData = false;
    boolean hasOffset = false;
    for (int field = input.field(0); field != 0; field = input.field(field)) {
      switch (field) {
        case FILE_PATH -> filePath = input.range();
        case FILE_OFFSET -> {
          hasOffset = true;
          input.number();
        }
        case META_DATA -> readData();
        case OFFSET_INDEX_OFFSET -> offsetIndexOffset = input.number();
        case OFFSET_INDEX_LENGTH -> offsetIndexLength = (int) input.number();
        case COLUMN_INDEX_OFFSET -> columnIndexOffset = input.number();
        case COLUMN_INDEX_LENGTH -> columnIndexLength = (int) input.number();
        case CRYPTO_METADATA -> {
          isEncrypted = true;
          input.skip(field);
        }
        default -> input.skip(field);
      }
    }
    require(hasOffset);
  }

  private void clearData() {
    values = -1;
    dictionaryOffset = 0;
    codedPages = 0;
    bloomFilterOffset = 0;
    bloomFilterLength = 0;
    clearStatistics();
  }

  /* Writers give the fields in the order of their numbers, so each is compared with the next that
   * may come rather than looked up: the processor foresees all branches, which saves a quarter of
   * the walk. Any other order takes more turns of the loop. */
  private void readData() throws TException {
    clearData();
    hasData = true;
    dataSeen = 0;
    int field = input.field(0);
    while (field != 0) {
      int start = input.position();
      if (field == TYPE) {
        type = known(Type.findByValue((int) input.number())).getValue();
        field = next(field);
      }
      if (field == ENCODINGS) {
        input.skipNumbers();
        field = next(field);
      }
      if (field == PATH_IN_SCHEMA) {
        path = input.position();
        for (int i = input.list(); i > 0; i--) {
          input.range();
        }
        field = next(field);
      }
      if (field == CODEC) {
        codec = known(Codec.of((int) input.number()));
        field = next(field);
      }
      if (field == NUM_VALUES) {
        values = input.number();
        field = next(field);
      }
      if (field == UNCOMPRESSED_SIZE) {
        uncompressedBytes = input.number();
        field = next(field);
      }
      if (field == COMPRESSED_SIZE) {
        bytes = input.number();
        field = next(field);
      }
      if (field == DATA_PAGE_OFFSET) {
        dataOffset = input.number();
        field = next(field);
      }
      if (field == DICTIONARY_PAGE_OFFSET) {
        dictionaryOffset = input.number();
        field = next(field);
      }
      if (field == STATISTICS) {
        readStatistics();
        field = next(field);
      }
      if (field == ENCODING_STATS) {
        readEncodingStats();
        field = next(field);
      }
      if (field == BLOOM_FILTER_OFFSET) {
        bloomFilterOffset = input.number();
        field = next(field);
      }
      if (field == BLOOM_FILTER_LENGTH) {
        bloomFilterLength = (int) input.number();
        field = next(field);
      }
      if (field == SIZE_STATISTICS) {
        skipSizeStatistics();
        field = next(field);
      }
      if (input.position() == start) {
        input.skip(field);
        field = input.field(field);
      }
    }
    require((dataSeen & DATA_REQUIRED) == DATA_REQUIRED);
  }

  private int next(int read) {
    dataSeen |= 1 << (read >> 4);
    return input.field(read);
  }

  /// Counts the pages of dictionary codes; 0 if there are other data pages.
  private void readEncodingStats() throws TException {
    boolean others = false;
    codedPages = 0;
    for (int i = input.list(); i > 0; i--) {
      PageType page = PageType.INDEX_PAGE;
      Encoding encoding = Encoding.PLAIN;
      int count = 0;
      int seen = 0;
      for (int field = input.field(0); field != 0; field = input.field(field)) {
        switch (field) {
          case PAGE_TYPE -> page = known(PageType.findByValue((int) input.number()));
          case ENCODING -> encoding = known(Encoding.findByValue((int) input.number()));
          case COUNT -> count = (int) input.number();
          default -> {
            input.skip(field);
            continue;
          }
        }
        seen |= 1 << (field >> 4);
      }
      require((seen & PAGES_REQUIRED) == PAGES_REQUIRED);
      boolean isData = page == PageType.DATA_PAGE || page == PageType.DATA_PAGE_V2;
      if (isData && count != 0) {
        others |= encoding != Encoding.PLAIN_DICTIONARY && encoding != Encoding.RLE_DICTIONARY;
        codedPages += Math.max(0, count);
      }
    }
    codedPages = others ? 0 : codedPages;
  }

  private void skipSizeStatistics() throws TException {
    for (int field = input.field(0); field != 0; field = input.field(field)) {
      switch (field) {
        case REPETITION_LEVELS, DEFINITION_LEVELS -> input.skipNumbers();
        default -> input.skip(field);
      }
    }
  }

  private void clearStatistics() {
    nulls = -1;
    nans = -1;
    oldMin = -1;
    oldMax = -1;
    min = -1;
    max = -1;
    minExact = -1;
    maxExact = -1;
  }

  private void readStatistics() throws TException {
    clearStatistics();
    for (int field = input.field(0); field != 0; field = input.field(field)) {
      switch (field) {
        case MAX -> oldMax = input.range();
        case MIN -> oldMin = input.range();
        case NULL_COUNT -> nulls = input.number();
        case MAX_VALUE -> max = input.range();
        case MIN_VALUE -> min = input.range();
        case MAX_EXACT -> maxExact = 1;
        case MAX_CUT -> maxExact = 0;
        case MIN_EXACT -> minExact = 1;
        case MIN_CUT -> minExact = 0;
        case NAN_COUNT -> nans = input.number();
        default -> input.skip(field);
      }
    }
  }

  /// Fails as thrift's own classes do, which drop numbers that are unknown.
  static <T> T known(@Nullable T value) throws TException {
    if (value == null) {
      throw new TProtocolException("a number is unknown");
    }
    return value;
  }

  static void require(boolean isComplete) throws TException {
    if (!isComplete) {
      throw new TProtocolException("a required field is missing");
    }
  }

  /// Returns whether the values are encrypted or in another file.
  boolean isElsewhere() {
    return filePath >= 0 || isEncrypted;
  }

  long values() {
    return values;
  }

  boolean isReadable() {
    return codec.readable();
  }

  long bytes() {
    return bytes;
  }

  /// Returns where the first page is.
  long offset() {
    // Polars omits the dictionary's offset and others write 0: then it is at the data offset.
    boolean isBefore = dictionaryOffset > 0 && dictionaryOffset < dataOffset;
    return isBefore ? dictionaryOffset : dataOffset;
  }

  /// Returns why this cannot be the chunk of a leaf, whose path is `name` in UTF-8; null if it can.
  @Nullable String misfit(LeafColumn leaf, byte[] name) throws TException {
    if (isEncrypted || !hasData) {
      return "Unsupported Parquet file: the column is encrypted but encrypted columns cannot be"
          + " read. Write it without encryption.";
    }
    if (filePath >= 0 && (int) filePath > 0) {
      return "Unsupported Parquet file: the column is in another file, '"
          + text(filePath)
          + "', but only columns in the file itself can be read.";
    }
    if (type == leaf.physical().getValue() && (hasPath(name) || path().equals(leaf.path()))) {
      return null;
    }
    return Sentence.of(
        "Corrupt Parquet file: the schema has %s '%s' here but the column's own metadata say %s"
            + " '%s'.",
        leaf.physical(), leaf.path(), String.valueOf(Type.findByValue(type)), path());
  }

  /// Returns whether the names of the path, with dots between them, are these bytes.
  private boolean hasPath(byte[] name) throws TException {
    input.moveTo(path);
    int at = 0;
    for (int i = 0, names = input.list(); i < names; i++) {
      if (i > 0 && (at >= name.length || name[at++] != '.')) {
        return false;
      }
      long range = input.range();
      int start = (int) (range >> 32);
      int length = (int) range;
      if (length > name.length - at
          || !Arrays.equals(input.bytes(), start, start + length, name, at, at + length)) {
        return false;
      }
      at += length;
    }
    return at == name.length;
  }

  private String path() throws TException {
    input.moveTo(path);
    StringJoiner names = new StringJoiner(".");
    for (int i = input.list(); i > 0; i--) {
      names.add(text(input.range()));
    }
    return names.toString();
  }

  private String text(long range) {
    return new String(bytesOf(range), StandardCharsets.UTF_8);
  }

  private byte[] bytesOf(long range) {
    int start = (int) (range >> 32);
    return Arrays.copyOfRange(input.bytes(), start, start + (int) range);
  }

  /// Returns what a reader needs of it, with the reason if it is not the leaf's or cannot be read.
  Chunk chunk(LeafColumn leaf) throws TException {
    String misfit = misfit(leaf, leaf.path().getBytes(StandardCharsets.UTF_8));
    if (misfit != null) {
      return new Chunk(0, 0, 0, 0, Codec.UNCOMPRESSED, 0, misfit);
    }
    String refusal =
        codec.readable()
            ? null
            : Sentence.of(
                "Unsupported Parquet codec: the column is compressed with %s but only UNCOMPRESSED,"
                    + " SNAPPY, GZIP, ZSTD, BROTLI, LZ4_RAW and LZ4 can be read. Write it with one"
                    + " of these.",
                codec);
    return new Chunk(
        offset(), bytes, Math.max(0, uncompressedBytes), values, codec, codedPages, refusal);
  }

  long nulls() {
    return nulls;
  }

  long nans() {
    return nans;
  }

  boolean hasBounds() {
    return min >= 0 || max >= 0;
  }

  @Nullable ByteString min() {
    return bound(min);
  }

  @Nullable ByteString max() {
    return bound(max);
  }

  /// Returns whether there are both bounds in the fields that take all values as signed numbers.
  boolean hasOldBounds() {
    return oldMin >= 0 && oldMax >= 0;
  }

  @Nullable ByteString oldMin() {
    return bound(oldMin);
  }

  @Nullable ByteString oldMax() {
    return bound(oldMax);
  }

  private @Nullable ByteString bound(long range) {
    return range < 0 ? null : ByteString.of(bytesOf(range));
  }

  /// Returns whether the lower bound is one of the values; `otherwise` if that is not stated.
  boolean isMinExact(boolean otherwise) {
    return minExact < 0 ? otherwise : minExact == 1;
  }

  boolean isMaxExact(boolean otherwise) {
    return maxExact < 0 ? otherwise : maxExact == 1;
  }

  Indexes indexes() {
    return new Indexes(
        new Extent(isElsewhere() ? 0 : columnIndexOffset, columnIndexLength),
        new Extent(isElsewhere() ? 0 : offsetIndexOffset, offsetIndexLength),
        new Extent(isElsewhere() ? 0 : bloomFilterOffset, bloomFilterLength));
  }
}
