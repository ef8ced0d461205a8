package dev.penstock.orc;

import dev.penstock.format.LibraryException;
import dev.penstock.format.MalformedFileException;
import dev.penstock.spi.format.AheadFile;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.orc.CompressionKind;
import org.apache.orc.DataReader;
import org.apache.orc.OrcProto;
import org.apache.orc.StripeInformation;
import org.apache.orc.impl.BufferChunk;
import org.apache.orc.impl.BufferChunkList;
import org.apache.orc.impl.InStream;
import org.apache.orc.impl.OrcCodecPool;
import org.jspecify.annotations.Nullable;

/// Supplies ORC with the bytes of a file that the loader opened; Hadoop's file systems are never
/// used.
///
/// ORC decodes from arrays, so bytes are copied from native memory piece by piece. Ranges that are
/// near each other are read together.
final class StoredBytes implements DataReader {
  private static final int PIECE_BYTES = 1 << 20;

  /// Gaps between ranges up to this many bytes are read too.
  private static final int GAP_BYTES = 16 << 10;

  private static final int TOGETHER_BYTES = 64 << 20;

  /// The most integers per byte of a run: four bytes encode 512 integers with equal differences.
  private static final long VALUES_PER_BYTE = 128;

  private final StorageFile file;
  private final OrcMetadata metadata;
  private final int stripe;
  private final boolean[] included;
  private final boolean isWithIndex;
  private final OrcProto.@Nullable StripeFooter known;
  private final InStream.StreamOptions options;
  private @Nullable StreamEnds ends;

  /// Makes a reader of one stripe.
  ///
  /// @param included the types that are read, by number
  /// @param known the stripe's footer, if it was already read and its streams announced
  StoredBytes(
      StorageFile file,
      OrcMetadata metadata,
      int stripe,
      boolean[] included,
      boolean isWithIndex,
      OrcProto.@Nullable StripeFooter known) {
    this.file = file;
    this.metadata = metadata;
    this.stripe = stripe;
    this.included = included;
    this.isWithIndex = isWithIndex;
    this.known = known;
    CompressionKind kind = metadata.tail().getCompressionKind();
    this.options = new InStream.StreamOptions();
    if (kind != CompressionKind.NONE) {
      options
          .withCodec(OrcCodecPool.getCodec(kind))
          .withBufferSize(metadata.tail().getCompressionBufferSize());
    }
  }

  /// A failure of the store, as distinct from corrupt contents.
  private static final class StoreException extends IOException {
    private static final long serialVersionUID = 1L;
    private final IOException failure;

    StoreException(IOException failure) {
      super(failure);
      this.failure = failure;
    }
  }

  /// Returns the exception to throw for a failure while ORC decoded: the store's own error, an
  /// already typed error, or an error for a corrupt file.
  ///
  /// @throws OutOfMemoryError if memory ran out, which need not be the file's fault
  static IOException explained(Throwable thrown, FilePlace where, String what) {
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      if (each instanceof StoreException store) {
        return store.failure;
      }
      if (each instanceof MalformedFileException known) {
        return known;
      }
      if (each instanceof LibraryException known) {
        return known;
      }
      if (each instanceof StoredTimes.UnsupportedTimeException) {
        return where.fail(String.valueOf(each.getMessage()));
      }
      if (each instanceof OutOfMemoryError) {
        throw outOfMemory(where, what, each);
      }
    }
    return corrupt(where, what, thrown);
  }

  private static OutOfMemoryError outOfMemory(FilePlace where, String what, Throwable cause) {
    OutOfMemoryError error =
        new OutOfMemoryError(
            ("Cannot decode ORC file: there is no room for %s (%s). Give the JVM more"
                    + " memory, or use fewer workers. [%s, %s]")
                .formatted(what, cause.getMessage(), where.location(), where.text()));
    error.initCause(cause);
    return error;
  }

  /// Describes where orc-core failed.
  static MalformedFileException corrupt(FilePlace where, String what, Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String found = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    return where.fail("Corrupt ORC file: " + what + " cannot be decoded (" + found + ").", cause);
  }

  /// Reads bytes of the file.
  ///
  /// @param end the byte after the last, at most the size of the file
  static byte[] read(StorageFile file, long start, long end) throws IOException {
    byte[] bytes = new byte[Math.toIntExact(end - start)];
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment piece = arena.allocate(Math.min(PIECE_BYTES, bytes.length));
      for (int done = 0; done < bytes.length; ) {
        int count = Math.min(PIECE_BYTES, bytes.length - done);
        MemorySegment target = piece.asSlice(0, count);
        read(file, start + done, target);
        MemorySegment.copy(target, ValueLayout.JAVA_BYTE, 0, bytes, done, count);
        done += count;
      }
    }
    return bytes;
  }

  /// Fills native memory with bytes of the file.
  static void read(StorageFile file, long offset, MemorySegment target) throws IOException {
    try {
      file.read(offset, target);
    } catch (IOException e) {
      throw new StoreException(e);
    }
  }

  @Override
  public void open() {}

  /// Reads the stripe's stored footer, and checks it.
  ///
  /// @return one that states a time zone: old files state none, and are read as if by a writer in
  ///   UTC, whatever the zone of this process, which orc-core would take
  OrcProto.StripeFooter footer() throws IOException {
    OrcMetadata.Stripe place = metadata.stripes().get(stripe);
    long start = place.offset() + place.streamBytes();
    int length = place.footerBytes();
    ByteBuffer bytes = ByteBuffer.wrap(read(file, start, start + length));
    OrcProto.StripeFooter footer =
        OrcProto.StripeFooter.parseFrom(
            Protobuf.bounded(
                InStream.createCodedInputStream(
                    InStream.create("footer", new BufferChunk(bytes, 0), 0, length, options)),
                length));
    check(place, footer);
    return footer.getWriterTimezone().isEmpty()
        ? footer.toBuilder().setWriterTimezone("UTC").build()
        : footer;
  }

  /// Reads a stripe's stored footer, and checks it.
  static OrcProto.StripeFooter footer(StorageFile file, OrcMetadata metadata, int stripe)
      throws IOException {
    try (StoredBytes bytes = new StoredBytes(file, metadata, stripe, new boolean[0], false, null)) {
      return bytes.footer();
    }
  }

  @Override
  public OrcProto.StripeFooter readStripeFooter(StripeInformation ignored) throws IOException {
    OrcProto.StripeFooter footer = known != null ? known : expected(footer());
    ends = new StreamEnds(metadata.stripes().get(stripe).offset(), footer);
    return ends.footer();
  }

  /// Announces that the streams of a footer will be read; returns the footer.
  OrcProto.StripeFooter expected(OrcProto.StripeFooter footer) {
    long start = metadata.stripes().get(stripe).offset();
    AheadFile.expect(file, StreamRanges.of(start, footer, included, isWithIndex));
    return footer;
  }

  /// Checks that all streams lie in the stripe, so that none requests more memory than it can fill.
  private void check(OrcMetadata.Stripe place, OrcProto.StripeFooter footer) throws IOException {
    FilePlace where = new FilePlace(file.location(), "stripe " + stripe);
    int columns = metadata.tail().getFooter().getTypesCount();
    if (footer.getColumnsCount() != columns) {
      throw where.fail(
          place.offset(),
          "Corrupt ORC stripe: its footer has %s encodings but the file has %s types."
              .formatted(footer.getColumnsCount(), columns));
    }
    int variants = metadata.tail().getFooter().getEncryption().getVariantsCount();
    if (footer.getEncryptionCount() != variants) {
      throw where.fail(
          place.offset(),
          "Corrupt ORC stripe: its footer has %s encrypted parts but the file has %s."
              .formatted(footer.getEncryptionCount(), variants));
    }
    List<OrcProto.Stream> streams = new ArrayList<>(footer.getStreamsList());
    footer.getEncryptionList().forEach(variant -> streams.addAll(variant.getStreamsList()));
    long left = place.streamBytes();
    for (OrcProto.Stream stream : streams) {
      if (stream.getKind() == OrcProto.Stream.Kind.ENCRYPTED_INDEX
          || stream.getKind() == OrcProto.Stream.Kind.ENCRYPTED_DATA) {
        continue; // only marks that such streams exist
      }
      if (!stream.hasKind()
          || stream.getLength() < 0
          || stream.getLength() > left
          || stream.getColumn() < 0
          || stream.getColumn() >= columns) {
        throw where.fail(
            place.offset(),
            ("Corrupt ORC stripe: a stream of %s%s bytes for type %s but %s bytes are left"
                    + " and there are %s types.")
                .formatted(
                    stream.hasKind() ? "" : "no known kind with ",
                    stream.getLength(),
                    stream.getColumn(),
                    left,
                    columns));
      }
      left -= stream.getLength();
    }
    checkDictionaries(where, footer);
  }

  /// Checks that a dictionary has bytes for the lengths of all its values: ORC allocates memory for
  /// the stated number.
  private void checkDictionaries(FilePlace where, OrcProto.StripeFooter footer)
      throws MalformedFileException {
    long[] lengthBytes = new long[footer.getColumnsCount()];
    for (OrcProto.Stream stream : footer.getStreamsList()) {
      if (stream.getKind() == OrcProto.Stream.Kind.LENGTH) {
        lengthBytes[stream.getColumn()] = stream.getLength();
      }
    }
    for (int id = 0; id < lengthBytes.length; id++) {
      int size = footer.getColumns(id).getDictionarySize();
      long most = VALUES_PER_BYTE * metadata.unpackedBytesMax(lengthBytes[id]);
      if (size < 0 || size > most) {
        throw where.fail(
            ("Corrupt ORC stripe: a dictionary of %s values for type %s but its lengths have"
                    + " %s bytes.")
                .formatted(Integer.toUnsignedLong(size), id, lengthBytes[id]));
      }
    }
  }

  @Override
  public BufferChunkList readFileData(BufferChunkList range, boolean direct) throws IOException {
    for (BufferChunk first = range.get(); first != null; ) {
      long start = start(first);
      long end = end(first);
      BufferChunk behind = next(first);
      int together = 1;
      while (behind != null
          && start(behind) >= end
          && start(behind) - end <= GAP_BYTES
          && end(behind) - start <= TOGETHER_BYTES) {
        end = end(behind);
        behind = next(behind);
        together++;
      }
      if (start < 0 || start > end || end > file.size()) {
        throw new FilePlace(file.location(), "stripe " + stripe)
            .fail("Truncated ORC file: a stream is at bytes [" + start + ", " + end + ").");
      }
      byte[] bytes = read(file, start, end);
      for (BufferChunk chunk = first; chunk != null && together > 0; chunk = next(chunk)) {
        int from = (int) (start(chunk) - start);
        int length = (int) (end(chunk) - start(chunk));
        chunk.setChunk(ByteBuffer.wrap(bytes, from, length).slice());
        together--;
      }
      first = behind;
    }
    if (ends != null && range.get() != null) {
      range.add(StreamEnds.behind(range));
    }
    return range;
  }

  private long start(BufferChunk chunk) {
    return ends == null ? chunk.getOffset() : ends.inFile(chunk.getOffset());
  }

  private long end(BufferChunk chunk) {
    return ends == null ? chunk.getEnd() : ends.inFile(chunk.getEnd());
  }

  private static @Nullable BufferChunk next(BufferChunk chunk) {
    return (BufferChunk) chunk.next;
  }

  @Override
  public boolean isTrackingDiskRanges() {
    return false;
  }

  @Override
  @Deprecated
  public void releaseBuffer(ByteBuffer buffer) {}

  @Override
  public void releaseAllBuffers() {}

  /// Returns a reader with its own codec, which its close returns.
  @Override
  public StoredBytes clone() {
    return new StoredBytes(file, metadata, stripe, included, isWithIndex, known);
  }

  @Override
  public void close() {
    if (options.getCodec() != null) {
      OrcCodecPool.returnCodec(options.getCodec().getKind(), options.getCodec());
      options.withCodec(null);
    }
  }

  @Override
  public InStream.StreamOptions getCompressionOptions() {
    return options;
  }
}
