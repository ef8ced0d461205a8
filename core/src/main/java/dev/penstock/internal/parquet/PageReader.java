package dev.penstock.internal.parquet;

import static dev.penstock.internal.parquet.Thrift.required;

import dev.penstock.format.ScratchMemory;
import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.ParquetMetadata.Chunk;
import dev.penstock.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.ToLongFunction;
import java.util.zip.CRC32;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.jspecify.annotations.Nullable;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.transport.TTransportException;

/// The pages of one column, chunk by chunk: reads, checks, decompresses.
///
/// Call [#readHeader], then [#load] or [#skip]. What was loaded stays valid until the next
/// [#readHeader]. All fields describe the current page.
final class PageReader {
  /* Memory: one buffer of what was read, and one of decompressed bytes. Uncompressed pages are used
   * where they were read. Of a compressed page nobody needs the bytes once it is decompressed, so
   * the large ones of all columns are read to one place, which stays in the cache: 64 columns with
   * pages of 80 KB would else write 5 MB on their way and read them back.
   *
   * Claims: a header's sizes are held against the chunk's bytes, the codec's best ratio and the
   * chunk's own total before anything is allocated for them. */
  private static final int HEADER_BYTES_FIRST = 256;

  /// A page may always claim this many bytes; more only where the chunk's total says so too.
  private static final long PAGE_BYTES_FREE = 16 << 20;

  private final StorageFile file;
  private final Decompressor decompressor;
  private final int maxRepetition;
  private final int maxDefinition;
  private final long readBytes;
  private final ToLongFunction<Chunk> latestEnd;
  private final Buffer sharedInput;
  private final Buffer input;
  private final Buffer decompressed;
  private final byte[] header = new byte[HEADER_BYTES_FIRST];

  private Chunk chunk = new Chunk(0, 0, 0, 0, Codec.UNCOMPRESSED, 0, null);
  private long fileOffset; // of the first byte not yet in the input buffer
  private long chunkEnd;
  private long aheadEnd; // what lies behind it is read when it is needed
  private long position; // in the input buffer: the first byte not yet used
  private long limit; // in the input buffer: the end of what was read
  private long valuesOwed; // at most, behind a jump
  private long lastPage; // where it is, behind a jump; else -1

  PageType type = PageType.DATA_PAGE;
  long pageOffset;
  int valueCount; // with nulls, and for lists that are null or empty one each

  /// The rows of the page, none of which goes on in the next, or -1 where that is not known.
  int rowCount;

  Encoding encoding = Encoding.PLAIN;

  private Encoding levelEncoding = Encoding.RLE;
  private Encoding repetitionEncoding = Encoding.RLE;
  private int compressedBytes;
  private int uncompressedBytes;
  private int levelBytes; // of V2: of both kinds together
  private int repetitionBytes; // of V2
  private boolean compressed;
  private boolean hasCrc;
  private int crc;

  MemorySegment levels = MemorySegment.NULL;
  long repetitionStart;
  long repetitionEnd;
  long levelsStart; // the definition levels
  long levelsEnd;
  MemorySegment values = MemorySegment.NULL;
  long valuesStart;
  long valuesEnd;

  /// Makes the reader of a column.
  ///
  /// @param sharedInput for the readers of all columns, which are used by one thread
  /// @param readBytes how much is read at a time of pages that are smaller
  /// @param latestEnd where pages of a chunk end at the latest that states too few bytes
  PageReader(
      StorageFile file,
      Decompressor decompressor,
      Buffer sharedInput,
      ScratchMemory memory,
      int maxRepetition,
      int maxDefinition,
      long readBytes,
      ToLongFunction<Chunk> latestEnd) {
    this.file = file;
    this.decompressor = decompressor;
    this.sharedInput = sharedInput;
    this.maxRepetition = maxRepetition;
    this.maxDefinition = maxDefinition;
    this.readBytes = readBytes;
    this.latestEnd = latestEnd;
    this.input = new Buffer(memory);
    this.decompressed = new Buffer(memory);
  }

  void open(Chunk chunk) {
    this.chunk = chunk;
    fileOffset = chunk.offset();
    chunkEnd = chunk.offset() + chunk.bytes();
    aheadEnd = chunkEnd;
    position = 0;
    limit = 0;
    valuesOwed = chunk.values();
    lastPage = -1;
    pageOffset = fileOffset;
  }

  /// A page of a chunk, to go to.
  ///
  /// @param offset where its header is
  /// @param end behind the last page that will be asked for, most likely: no further is read ahead
  /// @param values how many values it and all pages behind it have, at most
  /// @param last where the last page of the chunk is, at `offset` or behind it; -1 when it is known
  ///   by `values`, which is just their number then
  record Place(long offset, long end, long values, long last) {}

  /// Goes to the header of a page.
  void jump(Place page) {
    fileOffset = page.offset();
    aheadEnd = page.end();
    position = 0;
    limit = 0;
    valuesOwed = page.values();
    lastPage = page.last();
    pageOffset = fileOffset;
  }

  /// Returns the page whose header was read.
  Place place() {
    return new Place(pageOffset, aheadEnd, valuesOwed + valueCount, lastPage);
  }

  /// Reads and checks the header of the next page.
  void readHeader() throws IOException {
    pageOffset = fileOffset - (limit - position);
    PageHeader parsed = parseHeader();
    compressedBytes = parsed.getCompressed_page_size();
    uncompressedBytes = parsed.getUncompressed_page_size();
    hasCrc = parsed.isSetCrc();
    crc = parsed.getCrc();
    type = required(parsed.getType());
    levelBytes = 0;
    repetitionBytes = 0;
    rowCount = -1;
    compressed = chunk.codec() != Codec.UNCOMPRESSED;
    checkSizes();
    switch (type) {
      case DICTIONARY_PAGE -> take(required(parsed.getDictionary_page_header()));
      case DATA_PAGE -> take(required(parsed.getData_page_header()));
      case DATA_PAGE_V2 -> take(required(parsed.getData_page_header_v2()));
      case INDEX_PAGE -> valueCount = 0;
    }
  }

  /// A header that does not fit in the first few bytes of a page, as its source.
  private final class LongHeader extends Thrift.Source {
    private @Nullable IOException failure;

    @Override
    long remaining() {
      return PageReader.this.remaining();
    }

    @Override
    void skip(int count) {
      PageReader.this.skip(count);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws TTransportException {
      checkReadBytesAvailable(length);
      try {
        ensure(length);
      } catch (IOException e) {
        failure = e;
        throw new TTransportException(e);
      }
      MemorySegment.copy(input.segment(), Raw.BYTE, position, target, offset, length);
      position += length;
      return length;
    }
  }

  private PageHeader parseHeader() throws IOException {
    int bytes = (int) Math.min(HEADER_BYTES_FIRST, remaining());
    if (bytes == 0 && goOn()) {
      return parseHeader();
    }
    if (bytes == 0) {
      throw new PageException(
          "Truncated Parquet column: its pages end but "
              + valuesOwed
              + " values are still to come.");
    }
    ensure(bytes);
    MemorySegment.copy(input.segment(), Raw.BYTE, position, header, 0, bytes);
    try {
      PageHeader parsed = new PageHeader();
      position += Thrift.pageHeader(parsed, header, bytes);
      return parsed;
    } catch (TException | RuntimeException e) {
      boolean cut =
          e instanceof TTransportException t && t.getType() == TTransportException.END_OF_FILE;
      if (cut && bytes == remaining() && goOn()) {
        return parseHeader();
      }
      if (!cut || bytes == remaining()) {
        throw unparsable(bytes, e);
      }
    }
    return parseLongHeader(bytes);
  }

  private PageHeader parseLongHeader(int known) throws IOException {
    LongHeader source = new LongHeader();
    try {
      PageHeader parsed = new PageHeader();
      Thrift.pageHeader(parsed, source);
      return parsed;
    } catch (TException | RuntimeException e) {
      if (source.failure != null) {
        throw source.failure;
      }
      throw unparsable(known, e);
    }
  }

  /// @param known how many bytes of the header are in `header`
  private PageException unparsable(int known, Exception cause) {
    String newer = NewerFormat.inPageHeader(header, known);
    return new PageException(
        newer == null
            ? "Corrupt Parquet page: its header cannot be parsed (" + Thrift.reason(cause) + ")."
            : newer,
        cause);
  }

  /// Lets the chunk go on behind its stated bytes, where values are owed and nothing else begins.
  ///
  /// @return whether it goes on
  private boolean goOn() {
    long end = valuesOwed == 0 ? 0 : latestEnd.applyAsLong(chunk);
    boolean isLonger = end > chunkEnd;
    chunkEnd = Math.max(chunkEnd, end);
    return isLonger;
  }

  private void checkSizes() throws PageException {
    if (compressedBytes > remaining()) {
      goOn();
    }
    if (compressedBytes < 0 || compressedBytes > remaining()) {
      throw new PageException(
          "Truncated Parquet column: a page needs "
              + compressedBytes
              + " bytes but the column has "
              + remaining()
              + " left.");
    }
    long most = compressed ? Math.max(PAGE_BYTES_FREE, chunk.uncompressedBytes()) : compressedBytes;
    if (uncompressedBytes < 0
        || uncompressedBytes > most
        || (!compressed && uncompressedBytes != compressedBytes)) {
      throw new PageException(
          "Corrupt Parquet page: it claims "
              + uncompressedBytes
              + " bytes decompressed but has "
              + compressedBytes
              + " compressed ("
              + chunk.codec()
              + ") and its column "
              + chunk.uncompressedBytes()
              + " decompressed.");
    }
  }

  private void take(DictionaryPageHeader page) throws PageException {
    valueCount = page.getNum_values();
    encoding = required(page.getEncoding());
    if (valueCount < 0) {
      throw new PageException(
          "Corrupt Parquet page: its dictionary claims " + valueCount + " values.");
    }
  }

  private void take(DataPageHeader page) throws PageException {
    encoding = required(page.getEncoding());
    levelEncoding = required(page.getDefinition_level_encoding());
    if (maxRepetition > 0) {
      repetitionEncoding = required(page.getRepetition_level_encoding());
    }
    owe(page.getNum_values());
  }

  private void take(DataPageHeaderV2 page) throws PageException {
    encoding = required(page.getEncoding());
    levelEncoding = Encoding.RLE;
    repetitionEncoding = Encoding.RLE;
    compressed &= !page.isSetIs_compressed() || page.isIs_compressed();
    repetitionBytes = page.getRepetition_levels_byte_length();
    long bytes = (long) repetitionBytes + page.getDefinition_levels_byte_length();
    if (repetitionBytes < 0
        || page.getDefinition_levels_byte_length() < 0
        || bytes > Math.min(compressedBytes, uncompressedBytes)) {
      throw new PageException(
          "Corrupt Parquet page: its levels claim "
              + bytes
              + " of its "
              + compressedBytes
              + " bytes.");
    }
    if (!compressed && compressedBytes != uncompressedBytes) {
      throw new PageException(
          "Corrupt Parquet page: it is not compressed but has "
              + compressedBytes
              + " bytes and claims "
              + uncompressedBytes
              + ".");
    }
    levelBytes = (int) bytes;
    owe(page.getNum_values());
    takeRows(page.getNum_rows());
  }

  /// Pages of version 2 end with a row. Arrow C++ before version 12 did not keep to that, nor did
  /// it count rows: it stated as many as there are values.
  private void takeRows(int rows) throws PageException {
    if (maxRepetition > 0 && rows != valueCount) {
      if (rows < 1 || rows > valueCount) {
        throw new PageException(
            "Corrupt Parquet page: it claims " + rows + " rows of " + valueCount + " values.");
      }
      rowCount = rows;
    }
  }

  private void owe(int values) throws PageException {
    valueCount = values;
    if (values < 0 || values > valuesOwed) {
      throw new PageException(
          "Corrupt Parquet page: it claims "
              + values
              + " values but the column has "
              + valuesOwed
              + " left.");
    }
    valuesOwed -= values;
  }

  /// Returns how large the page is when it is loaded, as its header says.
  int uncompressedBytes() {
    return uncompressedBytes;
  }

  /// Tells whether the chunk has no values behind this page.
  boolean isLast() {
    return lastPage < 0 ? valuesOwed == 0 : pageOffset >= lastPage;
  }

  /// Goes behind the page without reading it.
  void skip() {
    skip(compressedBytes);
  }

  private void skip(int bytes) {
    long held = limit - position;
    if (bytes <= held) {
      position += bytes;
    } else {
      fileOffset += bytes - held;
      position = 0;
      limit = 0;
    }
  }

  /// Reads the page and sets where its levels and values are.
  void load() throws IOException {
    MemorySegment page = isReadShared() ? readShared() : read();
    if (hasCrc) {
      checkCrc(page);
    }
    repetitionStart = 0;
    repetitionEnd = repetitionBytes;
    levelsStart = repetitionEnd;
    levelsEnd = levelBytes;
    values = page;
    valuesStart = levelsEnd;
    valuesEnd = compressedBytes;
    if (compressed) {
      decompress();
    }
    levels = levelBytes == 0 ? values : page; // of a shared page nothing is kept
    if (type == PageType.DATA_PAGE) {
      splitLevels();
    }
  }

  /// Returns whether the page goes to where all columns read theirs: one that is larger than this
  /// column's buffer and is read for its decompression alone, for levels of version 2 are not
  /// compressed.
  private boolean isReadShared() {
    return compressed && levelBytes == 0 && compressedBytes > input.capacity();
  }

  private MemorySegment read() throws IOException {
    ensure(compressedBytes);
    MemorySegment page = input.segment().asSlice(position);
    position += compressedBytes;
    return page;
  }

  /// Reads the page to where it stays until that of another column comes.
  private MemorySegment readShared() throws IOException {
    long held = limit - position;
    long rest = compressedBytes - held;
    long ahead =
        Math.clamp(Math.min(aheadEnd, chunkEnd) - fileOffset - rest, 0, HEADER_BYTES_FIRST);
    MemorySegment page = sharedInput.ensure(compressedBytes + ahead);
    MemorySegment.copy(input.segment(), position, page, 0, held);
    file.read(fileOffset, page.asSlice(held, rest + ahead));
    fileOffset += rest + ahead;
    MemorySegment.copy(page, compressedBytes, input.ensure(ahead), 0, ahead);
    position = 0;
    limit = ahead;
    return page;
  }

  private void checkCrc(MemorySegment page) throws PageException {
    CRC32 actual = new CRC32();
    actual.update(page.asSlice(0, compressedBytes).asByteBuffer());
    if ((int) actual.getValue() != crc) {
      throw new PageException(
          String.format(
              "Corrupt Parquet page: its bytes have checksum (CRC) %08x but its header says %08x."
                  + " Fetch or write the file again.",
              (int) actual.getValue(), crc));
    }
  }

  private void decompress() throws IOException {
    int bytes = uncompressedBytes - levelBytes;
    MemorySegment source = values.asSlice(valuesStart, valuesEnd - valuesStart);
    if (bytes > 0) {
      values = decompressor.decompress(chunk.codec(), source, decompressed, bytes);
    } else {
      values = decompressed.ensure(0);
    }
    valuesStart = 0;
    valuesEnd = bytes;
  }

  /// Parts the levels of a V1 page from its values.
  private void splitLevels() throws PageException {
    levels = values;
    repetitionStart = levelsStart(repetitionEncoding, maxRepetition);
    repetitionEnd = levelsEnd(repetitionEncoding, maxRepetition, repetitionStart);
    valuesStart = repetitionEnd;
    levelsStart = levelsStart(levelEncoding, maxDefinition);
    levelsEnd = levelsEnd(levelEncoding, maxDefinition, levelsStart);
    valuesStart = levelsEnd;
  }

  private long levelsStart(Encoding encoding, int max) throws PageException {
    if (max == 0 || encoding != Encoding.RLE) {
      return valuesStart;
    }
    if (valuesEnd - valuesStart < 4) {
      throw new PageException("Truncated Parquet page: it ends before its levels.");
    }
    return valuesStart + 4;
  }

  private long levelsEnd(Encoding encoding, int max, long start) throws PageException {
    if (max == 0) {
      return start;
    }
    long bytes =
        switch (encoding) {
          case RLE -> Integer.toUnsignedLong(values.get(Raw.INT, start - 4));
          case BIT_PACKED -> ((long) valueCount * LevelRuns.width(max) + 7) / 8;
          default ->
              throw new PageException(
                  "Unsupported Parquet encoding: the column's levels are "
                      + encoding
                      + " but only RLE and BIT_PACKED can be read.");
        };
    if (bytes > valuesEnd - start) {
      throw new PageException(
          "Corrupt Parquet page: its levels claim "
              + bytes
              + " bytes but "
              + (valuesEnd - start)
              + " are left.");
    }
    return start + bytes;
  }

  /// Starts on the definition levels of the loaded page, which are 0 or 1.
  void startLevels(BitRuns runs) {
    if (levelEncoding == Encoding.BIT_PACKED) {
      turnBits(levelsStart, levelsEnd);
      runs.startPlain(levels, levelsStart, levelsEnd, valueCount);
    } else {
      runs.startRuns(levels, levelsStart, levelsEnd);
    }
  }

  /// Starts on the definition levels of the loaded page.
  void startDefinitionLevels(LevelRuns runs) {
    start(runs, levelEncoding, levelsStart, levelsEnd);
  }

  /// Starts on the repetition levels of the loaded page.
  void startRepetitionLevels(LevelRuns runs) {
    start(runs, repetitionEncoding, repetitionStart, repetitionEnd);
  }

  private void start(LevelRuns runs, Encoding encoding, long start, long end) {
    if (encoding == Encoding.BIT_PACKED) {
      turnBits(start, end);
      runs.startReversed(levels, start, end, valueCount);
    } else {
      runs.startRuns(levels, start, end);
    }
  }

  /// Turns around the bits of each byte: the old packing has the first value in the highest bits.
  /// The page is ours to change.
  private void turnBits(long start, long end) {
    for (long i = start; i < end; i++) {
      int reversed = Integer.reverse(levels.get(Raw.BYTE, i)) >>> 24;
      levels.set(Raw.BYTE, i, (byte) reversed);
    }
  }

  /// Returns how many bytes of the chunk are not yet used.
  private long remaining() {
    return chunkEnd - fileOffset + (limit - position);
  }

  /// Makes the next `bytes` of the chunk, which has as many, lie in the input buffer.
  private void ensure(long bytes) throws IOException {
    long held = limit - position;
    if (held >= bytes) {
      return;
    }
    // Of a large page only what there is up to the next header, so that no page has to be moved.
    long more = bytes > readBytes / 2 ? bytes + HEADER_BYTES_FIRST : readBytes;
    long ahead = aheadEnd - fileOffset + held;
    long want = Math.max(bytes, Math.min(Math.min(more, ahead), remaining()));
    if (position > 0) {
      MemorySegment.copy(input.segment(), position, input.segment(), 0, held);
      position = 0;
      limit = held;
    }
    MemorySegment target = input.grow(want, held);
    // Not more than wanted: a larger buffer than this chunk needs must not read past its end.
    file.read(fileOffset, target.asSlice(held, want - held));
    fileOffset += want - held;
    limit = want;
  }

  void close() {
    input.release();
    decompressed.release();
  }
}
