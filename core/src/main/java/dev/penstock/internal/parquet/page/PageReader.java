package dev.penstock.internal.parquet.page;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.Codec;
import dev.penstock.internal.parquet.footer.NewerFormat;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Chunk;
import dev.penstock.internal.parquet.footer.StoredPage;
import dev.penstock.internal.parquet.footer.Thrift;
import dev.penstock.internal.parquet.page.Page.Part;
import dev.penstock.internal.parquet.page.PageHeader.Body;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.transport.TTransportException;

/// Reads, checks and decompresses the pages of one column, chunk by chunk.
///
/// Call [#readHeader], then [#load] or [#skip] with what it returned.
public final class PageReader {
  /* Memory: one buffer for bytes read, and one for decompressed bytes. Uncompressed pages are used
   * where they were read, as are chunks that are read with their neighbours. The bytes of a
   * compressed page are not needed once it is decompressed, so the large ones of all columns are
   * read into one shared buffer, which stays in the cache: else 64 columns with pages of 80 KB
   * would write 5 MB to memory and read it back.
   *
   * Claims: a header's sizes are compared with the chunk's bytes, the codec's best ratio and the
   * chunk's own total before anything is allocated for them. */
  private static final int HEADER_BYTES_FIRST = 256;

  /// A longer header is refused, as by Arrow C++. Writers may put whole values into its statistics.
  private static final int HEADER_BYTES_MAX = 16 << 20;

  /// A page may always claim this many bytes, and more only if the chunk's total allows it.
  private static final long PAGE_BYTES_FREE = 16 << 20;

  private final PageFile file;
  private final int maxRepetition;
  private final int maxDefinition;
  private final long readBytes;
  private final Buffer input;
  private final Buffer decompressed;
  private final byte[] head = new byte[HEADER_BYTES_FIRST];
  private final StoredPage stated = new StoredPage();

  private Chunk chunk = new Chunk(0, 0, 0, 0, Codec.UNCOMPRESSED, 0, null);
  private long fileOffset; // the first byte not yet in the input buffer
  private long chunkEnd;
  private long aheadEnd; // bytes after it are not read ahead
  private MemorySegment source = MemorySegment.NULL; // the input buffer, or read with other columns
  private long position; // in the source: the first byte not yet used
  private long limit; // in the source: the end of what was read
  private long pageOffset; // the page whose header was read
  private long valuesOwed; // at most, after a jump
  private long lastPage; // its offset, after a jump; else -1

  /// Makes the reader of a column. The greatest definition level is 0 if the levels are not needed;
  /// `readBytes` are read at a time, if pages are smaller.
  public PageReader(PageFile file, int maxRepetition, int maxDefinition, long readBytes) {
    this.file = file;
    this.maxRepetition = maxRepetition;
    this.maxDefinition = maxDefinition;
    this.readBytes = readBytes;
    this.input = new Buffer(file.memory);
    this.decompressed = new Buffer(file.memory);
  }

  public void open(Chunk chunk) {
    this.chunk = chunk;
    chunkEnd = chunk.offset() + chunk.bytes();
    jump(new Place(chunk.offset(), chunkEnd, chunk.values(), -1));
  }

  /// A page of a chunk to jump to.
  ///
  /// @param offset where its header is
  /// @param end the expected end of the pages to read: nothing after it is read ahead
  /// @param values the most values that it and all pages after it have
  /// @param last where the last page of the chunk is, at `offset` or after it; -1 if it is detected
  ///   by `values`, which is then exact
  public record Place(long offset, long end, long values, long last) {}

  public void jump(Place page) {
    fileOffset = page.offset();
    aheadEnd = page.end();
    position = 0;
    limit = 0;
    valuesOwed = page.values();
    lastPage = page.last();
    pageOffset = fileOffset;
  }

  /// Returns where to jump to read the page again whose header was read last.
  public Place place(PageHeader header) {
    return new Place(pageOffset, aheadEnd, valuesOwed + header.valueCount(), lastPage);
  }

  /// Returns the offset in the file of the page whose header was read last, or failed to be read.
  public long pageOffset() {
    return pageOffset;
  }

  /// Reads and checks the header of the next page. It is a [PageException] if it contradicts the
  /// chunk.
  public PageHeader readHeader() throws IOException {
    pageOffset = fileOffset - (limit - position);
    parseHeader(HEADER_BYTES_FIRST);
    PageHeader header = PageHeader.of(stated, body(), maxRepetition, valuesOwed);
    if (header.isData()) {
      valuesOwed -= header.valueCount();
    }
    return header;
  }

  /// Reads a header that likely has at most `likely` bytes.
  private void parseHeader(int likely) throws IOException {
    int bytes = (int) Math.min(likely, remaining());
    if (bytes == 0 && goOn()) {
      parseHeader(likely);
      return;
    }
    if (bytes == 0) {
      throw new PageException(
          "Truncated Parquet column: its pages end but "
              + valuesOwed
              + " values are still to come.");
    }
    ensure(bytes);
    byte[] start = bytes == head.length ? head : new byte[bytes];
    MemorySegment.copy(source, Raw.BYTE, position, start, 0, bytes);
    try {
      position += stated.read(start);
    } catch (TException e) {
      boolean isCut =
          e instanceof TTransportException t && t.getType() == TTransportException.END_OF_FILE;
      boolean isMore = bytes < remaining() ? bytes < HEADER_BYTES_MAX : goOn();
      if (!isCut || !isMore) {
        throw unparsable(start, e);
      }
      parseHeader(Math.min(HEADER_BYTES_MAX, 16 * likely));
    }
  }

  private static PageException unparsable(byte[] header, TException cause) {
    String newer = NewerFormat.inPageHeader(header);
    return new PageException(
        newer == null
            ? "Corrupt Parquet page: its header cannot be parsed (" + Thrift.reason(cause) + ")."
            : newer,
        cause);
  }

  /// Extends the chunk beyond its stated bytes, if values are missing and nothing else begins
  /// there; returns whether it did.
  private boolean goOn() {
    long end = valuesOwed == 0 ? 0 : file.metadata.latestEnd(chunk);
    boolean isLonger = end > chunkEnd;
    chunkEnd = Math.max(chunkEnd, end);
    return isLonger;
  }

  private Body body() throws PageException {
    int compressedBytes = stated.compressedBytes();
    int uncompressedBytes = stated.uncompressedBytes();
    boolean compressed = chunk.codec() != Codec.UNCOMPRESSED;
    if (compressedBytes > remaining()) {
      goOn();
    }
    if (compressedBytes < 0 || compressedBytes > remaining()) {
      throw PageException.of(
          "Truncated Parquet column: a page needs %s bytes but the column has %s left.",
          compressedBytes, remaining());
    }
    long most = compressed ? Math.max(PAGE_BYTES_FREE, chunk.uncompressedBytes()) : compressedBytes;
    if (uncompressedBytes < 0
        || uncompressedBytes > most
        || (!compressed && uncompressedBytes != compressedBytes)) {
      throw PageException.of(
          "Corrupt Parquet page: it claims %s bytes decompressed but has %s compressed (%s) and"
              + " its column %s decompressed.",
          uncompressedBytes, compressedBytes, chunk.codec(), chunk.uncompressedBytes());
    }
    return new Body(compressedBytes, uncompressedBytes, compressed, stated.hasCrc(), stated.crc());
  }

  public boolean isLast() {
    return lastPage < 0 ? valuesOwed == 0 : pageOffset >= lastPage;
  }

  /// Skips the page, whose header was read last, without reading it.
  public void skip(PageHeader header) {
    skip(header.body().compressedBytes());
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

  /// Reads the page whose header was read last. It is valid until the next header is read, and a
  /// [PageException] if its bytes are not what the header says.
  public Page load(PageHeader header) throws IOException {
    Body body = header.body();
    int bytes = body.compressedBytes();
    int levelBytes = header.levels().bytes();
    MemorySegment stored = isReadShared(body, levelBytes) ? readShared(bytes) : read(bytes);
    if (body.hasCrc()) {
      checkCrc(stored.asSlice(0, bytes), body.crc());
    }
    Part values = new Part(stored, levelBytes, bytes);
    if (body.compressed()) {
      values = decompress(values, body.uncompressedBytes() - levelBytes);
    }
    return Page.of(header, stored, values, maxRepetition, maxDefinition);
  }

  /// Returns whether the page is read into the shared buffer: if it is larger than this column's
  /// buffer and is read only to be decompressed. Levels of version 2 are not compressed.
  private boolean isReadShared(Body body, int levelBytes) {
    return body.compressed()
        && levelBytes == 0
        && body.compressedBytes() > Math.max(input.capacity(), limit - position);
  }

  private MemorySegment read(int bytes) throws IOException {
    ensure(bytes);
    MemorySegment page = source.asSlice(position);
    position += bytes;
    return page;
  }

  /// Reads the page into the shared buffer, where it stays until another column's page replaces it.
  private MemorySegment readShared(int bytes) throws IOException {
    long held = limit - position;
    long rest = bytes - held;
    long ahead =
        Math.clamp(Math.min(aheadEnd, chunkEnd) - fileOffset - rest, 0, HEADER_BYTES_FIRST);
    MemorySegment page = file.input.ensure(bytes + ahead);
    MemorySegment.copy(source, position, page, 0, held);
    file.read(fileOffset, page.asSlice(held, rest + ahead));
    fileOffset += rest + ahead;
    source = input.ensure(ahead);
    MemorySegment.copy(page, bytes, source, 0, ahead);
    position = 0;
    limit = ahead;
    return page;
  }

  private static void checkCrc(MemorySegment bytes, int crc) throws PageException {
    CRC32 actual = new CRC32();
    actual.update(bytes.asByteBuffer());
    if ((int) actual.getValue() != crc) {
      throw PageException.of(
          "Corrupt Parquet page: its bytes have checksum (CRC) %08x but its header says %08x."
              + " Fetch or write the file again.",
          (int) actual.getValue(), crc);
    }
  }

  private Part decompress(Part compressed, int bytes) throws IOException {
    if (bytes == 0) {
      return new Part(decompressed.ensure(0), 0, 0);
    }
    MemorySegment from = compressed.segment().asSlice(compressed.start(), compressed.bytes());
    return new Part(
        file.decompressor.decompress(chunk.codec(), from, decompressed, bytes), 0, bytes);
  }

  /// Returns how many bytes of the chunk are not yet used.
  private long remaining() {
    return chunkEnd - fileOffset + (limit - position);
  }

  /// Reads until the next `bytes` of the chunk, which must have as many, are in the input buffer.
  private void ensure(long bytes) throws IOException {
    if (fileOffset == chunk.offset()) {
      takeTogether();
    }
    long held = limit - position;
    if (held >= bytes) {
      return;
    }
    long ahead = aheadEnd - fileOffset + held;
    // For a large page, only up to the next header, so that no page has to be moved.
    long more = bytes > readBytes / 2 ? bytes + HEADER_BYTES_FIRST : readBytes;
    // Less than half a read that would be left comes along.
    more = ahead <= readBytes + readBytes / 2 ? ahead : more;
    long want = Math.max(bytes, Math.min(Math.min(more, ahead), remaining()));
    if (held > 0) {
      MemorySegment.copy(source, position, input.ensure(held), 0, held);
    }
    position = 0;
    limit = held;
    source = input.grow(want, held);
    // Not more than wanted: a larger buffer than this chunk needs must not read past its end.
    file.read(fileOffset, source.asSlice(held, want - held));
    fileOffset += want - held;
    limit = want;
  }

  /// Takes the whole chunk if it is read together with others.
  private void takeTogether() throws IOException {
    MemorySegment bytes = file.readTogether(chunk);
    if (bytes != null) {
      source = bytes;
      position = 0;
      limit = chunk.bytes();
      fileOffset += limit;
    }
  }
}
