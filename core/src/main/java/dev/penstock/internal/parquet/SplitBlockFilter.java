package dev.penstock.internal.parquet;

import dev.penstock.advice.Advice;
import dev.penstock.internal.hash.XxHash64;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.FooterStatistics;
import dev.penstock.internal.parquet.footer.FooterStatistics.Extent;
import dev.penstock.internal.parquet.footer.LeafColumn;
import dev.penstock.internal.parquet.footer.ParquetMetadata;
import dev.penstock.internal.parquet.footer.PlainValue;
import dev.penstock.internal.parquet.footer.Thrift;
import dev.penstock.internal.parquet.footer.Where;
import dev.penstock.spi.format.BloomFilter;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import org.apache.parquet.format.BloomFilterAlgorithm;
import org.apache.parquet.format.BloomFilterCompression;
import org.apache.parquet.format.BloomFilterHash;
import org.apache.parquet.format.BloomFilterHeader;
import org.jspecify.annotations.Nullable;
import shaded.parquet.org.apache.thrift.TException;

/// A split-block bloom filter with xxHash64, the only kind that Parquet has.
///
/// A value belongs to one block of 256 bits, in which it sets 8. A filter of up to
/// [#WHOLE_BYTES_MAX] is read at once; from a larger one, only the block of each requested value is
/// read, so that memory is bounded whatever the file states.
final class SplitBlockFilter extends ValueFilter {
  static final int WHOLE_BYTES_MAX = 1 << 20;
  private static final int BYTES_MAX = 128 << 20; // the most that the format allows
  private static final int BLOCK_BYTES = 32;

  /// A header takes about 20; this leaves room for future fields.
  private static final int HEADER_BYTES_MAX = 256;

  private static final int[] SALT = {
    0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31
  };

  private final FilePart part;
  private final long offset;
  private final int blocks;
  private final byte @Nullable [] whole;

  private SplitBlockFilter(FilePart part, LeafColumn leaf, long offset, int bytes)
      throws IOException {
    super(leaf);
    this.part = part;
    this.offset = offset;
    this.blocks = bytes / BLOCK_BYTES;
    this.whole = bytes <= WHOLE_BYTES_MAX ? part.read(offset, bytes) : null;
  }

  /// Opens the filter of a column. There is none if the file has none, its algorithm, hash or
  /// compression is unknown, it is larger than the format allows, its header and the footer state
  /// different lengths, its writer is known to omit values, or a value can have several forms
  /// ([PlainValue#isUnique]).
  static Optional<BloomFilter> open(
      StorageFile file, ParquetMetadata metadata, int rowGroup, String column) throws IOException {
    Objects.checkIndex(rowGroup, metadata.rowGroups().size());
    FooterStatistics known = metadata.footerStatistics();
    int index = metadata.leaf(column);
    if (index < 0 || !PlainValue.isUnique(known.leaf(index))) {
      return Optional.empty();
    }
    Extent place = known.indexes(rowGroup, index).bloomFilter();
    FilePart part =
        new FilePart(
            file,
            "bloom filter",
            Advice.text("or read it without a filter on the column"),
            new Where(file.location(), rowGroup, column));
    return place.isSet() ? open(part, known.leaf(index), place) : Optional.empty();
  }

  private static Optional<BloomFilter> open(FilePart part, LeafColumn leaf, Extent place)
      throws IOException {
    part.check(place.offset(), Math.max(1, place.length()));
    long left = part.file().size() - place.offset();
    byte[] start = part.read(place.offset(), (int) Math.min(HEADER_BYTES_MAX, left));
    BloomFilterHeader header = new BloomFilterHeader();
    int headerBytes;
    try {
      headerBytes = Thrift.read(header, start);
    } catch (TException | RuntimeException e) {
      throw part.unparsable(place.offset(), e);
    }
    int bytes = header.getNumBytes();
    boolean contradict = place.length() != 0 && place.length() != (long) headerBytes + bytes;
    if (!isKnown(header) || bytes > BYTES_MAX || contradict) {
      return Optional.empty();
    }
    if (bytes < BLOCK_BYTES || bytes % BLOCK_BYTES != 0) {
      throw part.corrupt(
          place.offset(), "it has " + bytes + " bytes but expected a multiple of " + BLOCK_BYTES);
    }
    part.check(place.offset() + headerBytes, bytes);
    return Optional.of(new SplitBlockFilter(part, leaf, place.offset() + headerBytes, bytes));
  }

  private static boolean isKnown(BloomFilterHeader header) {
    BloomFilterAlgorithm algorithm = header.getAlgorithm();
    BloomFilterHash hash = header.getHash();
    BloomFilterCompression compression = header.getCompression();
    return algorithm != null
        && algorithm.isSetBLOCK()
        && hash != null
        && hash.isSetXXHASH()
        && compression != null
        && compression.isSetUNCOMPRESSED();
  }

  @Override
  boolean has(byte[] plain) throws IOException {
    long hash = XxHash64.hash(plain);
    int start = (int) (((hash >>> 32) * blocks) >>> 32) * BLOCK_BYTES;
    byte[] read = whole;
    if (read == null) {
      read = part.read(offset + start, BLOCK_BYTES);
      start = 0;
    }
    MemorySegment words = MemorySegment.ofArray(read);
    for (int i = 0; i < SALT.length; i++) {
      int bit = ((int) hash * SALT[i]) >>> 27;
      if (((words.get(Raw.INT, start + i * 4L) >>> bit) & 1) == 0) {
        return false;
      }
    }
    return true;
  }
}
