package dev.penstock.internal.parquet;

import dev.penstock.internal.memory.ArenaScratch;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.LeafColumn;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.internal.parquet.footer.ParquetMetadata;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Chunk;
import dev.penstock.internal.parquet.footer.PlainValue;
import dev.penstock.internal.parquet.footer.Where;
import dev.penstock.internal.parquet.page.Page.Part;
import dev.penstock.internal.parquet.page.PageFile;
import dev.penstock.internal.parquet.page.PageHeader;
import dev.penstock.internal.parquet.page.PageReader;
import dev.penstock.spi.format.BloomFilter;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Type;

/// A filter from the dictionary of a chunk that has no other values: it is never wrong.
final class DictionaryFilter extends ValueFilter {
  /// A larger dictionary is not used: reading it would be reading much of the chunk.
  private static final int BYTES_MAX = 1 << 20;

  private static final int READ_BYTES = 64 << 10;

  /* The most that a value takes besides its code, with the known writers. Too small a number costs
   * time, because the filter is not used then; too large a number trusts footers that contradict
   * themselves. */
  private static final double SLACK = 1.5;
  private static final int LIST_BITS = 16;
  private static final int NULL_BITS = 2;
  private static final int PAGE_BYTES = 200;

  private final Set<ByteString> values;

  private DictionaryFilter(LeafColumn leaf, Set<ByteString> values) {
    super(leaf);
    this.values = values;
  }

  /// Reads the dictionary of a column. It is no filter if there is no dictionary, it does not have
  /// all values, it is large, it has more values than its header says, or a value can have several
  /// forms ([PlainValue#isUnique]).
  static Optional<BloomFilter> open(
      StorageFile file, ParquetMetadata metadata, int rowGroup, String column) throws IOException {
    Objects.checkIndex(rowGroup, metadata.rowGroups().size());
    int index = metadata.leaf(column);
    if (index < 0) {
      return Optional.empty();
    }
    LeafColumn leaf = metadata.footerStatistics().leaf(index);
    Chunk chunk = metadata.chunk(rowGroup, index);
    if (!PlainValue.isUnique(leaf) || !chunk.coded() || chunk.refusal() != null) {
      return Optional.empty();
    }
    try (ArenaScratch memory = new ArenaScratch();
        PageFile shared = new PageFile(file, metadata, memory)) {
      PageReader pages = new PageReader(shared, 0, 0, READ_BYTES);
      pages.open(chunk);
      try {
        return read(pages, leaf, chunk);
      } catch (PageException e) {
        Where where = new Where(file.location(), rowGroup, column);
        throw where.fail(pages.pageOffset(), e.sentence(), e);
      }
    }
  }

  private static Optional<BloomFilter> read(PageReader pages, LeafColumn leaf, Chunk chunk)
      throws IOException {
    PageHeader header = pages.readHeader();
    if (header.type() != PageType.DICTIONARY_PAGE
        || header.body().uncompressedBytes() > BYTES_MAX
        || hasOtherValues(header, leaf, chunk)) {
      return Optional.empty();
    }
    Part stored = pages.load(header).values();
    Set<ByteString> values = new HashSet<>();
    long position = stored.start();
    int width = leaf.plainWidth();
    for (int i = 0; i < header.valueCount(); i++) {
      if (leaf.physical() == Type.BYTE_ARRAY) {
        require(4, position, stored);
        width = stored.segment().get(Raw.INT, position);
        position += 4;
      }
      require(width, position, stored);
      values.add(ByteString.of(stored.segment().asSlice(position, width).toArray(Raw.BYTE)));
      position += width;
    }
    return position < stored.end()
        ? Optional.empty()
        : Optional.of(new DictionaryFilter(leaf, values));
  }

  /// Returns whether a chunk has more bytes than codes of its dictionary can take: then it has
  /// values outside of the dictionary, whatever its footer counts.
  private static boolean hasOtherValues(PageHeader header, LeafColumn leaf, Chunk chunk) {
    int width = 32 - Integer.numberOfLeadingZeros(Math.max(0, header.valueCount() - 1));
    double bitsEach = width + (leaf.repeated() ? LIST_BITS : leaf.nullable() ? NULL_BITS : 0);
    double most =
        SLACK * chunk.values() * bitsEach / 8 + (double) PAGE_BYTES * (1 + chunk.codedPages());
    return chunk.uncompressedBytes() - header.body().uncompressedBytes() > most;
  }

  private static void require(int bytes, long position, Part stored) throws PageException {
    if (bytes < 0 || bytes > stored.end() - position) {
      throw PageException.of(
          "Truncated Parquet page: a value of its dictionary needs %s bytes but %s are left.",
          Integer.toUnsignedLong(bytes), stored.end() - position);
    }
  }

  @Override
  boolean has(byte[] plain) {
    return values.contains(ByteString.of(plain));
  }
}
