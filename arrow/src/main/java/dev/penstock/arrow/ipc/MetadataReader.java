package dev.penstock.arrow.ipc;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.arrow.ipc.IpcMetadata.Batch;
import dev.penstock.arrow.ipc.IpcMetadata.DictionaryBatch;
import dev.penstock.arrow.ipc.SchemaReader.Columns;
import dev.penstock.format.MalformedFileException;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.AheadFile;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.ColumnNames;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.storage.FetchAdvice;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.jspecify.annotations.Nullable;

/// Reads the messages of a file or stream, without their bodies.
///
/// Every range that a message names is checked against the file here, once; later reads of a buffer
/// check only against the buffer. One class reads both, because their messages and checks are the
/// same.
final class MetadataReader {
  private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FEATHER_1 = "FEA1".getBytes(StandardCharsets.US_ASCII);

  /// Magic bytes and padding at the start of a file.
  private static final int HEAD_BYTES = 8;

  /// The length of the footer and the magic bytes at the end of a file.
  private static final int TAIL_BYTES = 10;

  /// Most footers fit in this, so that one read is enough.
  private static final int FOOTER_BYTES = 64 << 10;

  private static final int CONTINUED = -1;
  private static final String EARLY_COMPRESSION = "ARROW:experimental_compression";
  private static final int METADATA_BYTES_MAX = 256 << 20;

  private final StorageFile file;
  private final boolean endRequired;
  private final FilePlace where;
  private final List<Batch> batches = new ArrayList<>();
  private final List<DictionaryBatch> dictionaries = new ArrayList<>();
  private final Map<Long, IpcColumn> dictionaryColumns = new HashMap<>();
  private final Set<Long> started = new HashSet<>(); // the stream's dictionaries
  private @Nullable Columns columns;

  private MetadataReader(StorageFile file, boolean endRequired) {
    this.file = file;
    this.endRequired = endRequired;
    this.where = new FilePlace(file.location(), "metadata");
  }

  /// @param endRequired whether a stream must end with the end mark
  static IpcMetadata read(StorageFile file, boolean endRequired) throws IOException {
    MetadataReader reader = new MetadataReader(file, endRequired);
    try {
      return reader.read();
    } catch (RuntimeException e) { // thrown by flatbuffers with invalid offsets
      throw reader.where.fail("Corrupt Arrow file: its metadata cannot be parsed (" + e + ").", e);
    }
  }

  private IpcMetadata read() throws IOException {
    if (file.size() < HEAD_BYTES) {
      throw where.fail(
          "Truncated Arrow file: it has "
              + file.size()
              + " bytes but needs a schema at least. Write it anew, or leave it out.");
    }
    int tailBytes = (int) Math.min(FOOTER_BYTES, file.size());
    ByteBuffer tail = bytes(file.size() - tailBytes, tailBytes);
    boolean isFile =
        file.size() >= HEAD_BYTES + TAIL_BYTES
            && startsWith(tail.slice(tailBytes - MAGIC.length, MAGIC.length), MAGIC);
    // The end alone shows that it is a file; its head need not be read.
    ByteBuffer head =
        tailBytes == file.size() ? tail : isFile ? ByteBuffer.wrap(MAGIC) : bytes(0, HEAD_BYTES);
    if (startsWith(head, FEATHER_1)) {
      throw where.fail(
          0, "Unsupported Feather file: it is of version 1. Write it anew as version 2.");
    }
    if (startsWith(head, MAGIC)) {
      readFile(tail);
    } else {
      readStream();
    }
    Columns all = columns;
    if (all == null) {
      throw where.fail("Truncated Arrow stream: it ends before its schema.");
    }
    List<IpcColumn> distinct =
        ColumnNames.distinct(all.columns(), column -> column.field().name(), IpcColumn::unreadable);
    return new IpcMetadata(
        Schema.of(distinct.stream().map(IpcColumn::field).toList()),
        distinct,
        List.copyOf(batches),
        batches.stream().map(Batch::rowGroup).toList(),
        List.copyOf(dictionaries));
  }

  private static boolean startsWith(ByteBuffer bytes, byte[] magic) {
    for (int i = 0; i < magic.length; i++) {
      if (bytes.get(i) != magic[i]) {
        return false;
      }
    }
    return true;
  }

  private ByteBuffer bytes(long offset, int length) throws IOException {
    return ByteBuffer.wrap(file.bytes(offset, length)).order(ByteOrder.LITTLE_ENDIAN);
  }

  // --- File

  /// @param end the last bytes of the file
  private void readFile(ByteBuffer end) throws IOException {
    long size = file.size();
    if (size < HEAD_BYTES + TAIL_BYTES) {
      throw where.fail("Truncated Arrow file: it has " + size + " bytes and no footer.");
    }
    ByteBuffer tail = slice(end, end.limit() - TAIL_BYTES, TAIL_BYTES);
    if (!startsWith(tail.slice(4, MAGIC.length), MAGIC)) {
      throw where.fail(
          size - MAGIC.length,
          "Truncated Arrow file: it does not end with the magic 'ARROW1'. It was not closed, or"
              + " not copied as a whole.");
    }
    int length = tail.getInt(0);
    if (length < 1 || length > size - HEAD_BYTES - TAIL_BYTES || length > METADATA_BYTES_MAX) {
      throw where.fail(
          size - TAIL_BYTES,
          "Truncated Arrow file: its footer needs %s bytes but the file has %s."
              .formatted(length, size - HEAD_BYTES - TAIL_BYTES));
    }
    int start = end.limit() - TAIL_BYTES - length;
    Footer footer =
        Footer.getRootAsFooter(
            start >= 0 ? slice(end, start, length) : bytes(size - TAIL_BYTES - length, length));
    if (footer.recordBatchesLength() > length || footer.dictionariesLength() > length) {
      throw where.fail("Corrupt Arrow file: its footer has more blocks than bytes for them.");
    }
    expect(footer);
    for (int i = 0; i < footer.dictionariesLength(); i++) {
      add(footer.dictionaries(i), MessageHeader.DictionaryBatch, footer.schema(), length);
    }
    for (int i = 0; i < footer.recordBatchesLength(); i++) {
      add(footer.recordBatches(i), MessageHeader.RecordBatch, footer.schema(), length);
    }
    if (columns == null) {
      schema(footer.schema(), footer.version(), length);
    }
  }

  /// Announces all messages, so that their scattered bytes are fetched many at once.
  private void expect(Footer footer) {
    List<ByteRange> messages = new ArrayList<>();
    for (int i = 0; i < footer.dictionariesLength(); i++) {
      expect(footer.dictionaries(i), messages);
    }
    for (int i = 0; i < footer.recordBatchesLength(); i++) {
      expect(footer.recordBatches(i), messages);
    }
    AheadFile.expect(file, messages);
  }

  private void expect(Block block, List<ByteRange> messages) {
    if (block.offset() >= 0
        && block.metaDataLength() > 0
        && block.metaDataLength() <= METADATA_BYTES_MAX) {
      messages.add(new ByteRange(block.offset(), block.metaDataLength()));
    }
  }

  /// @param schema the schema of the message, with its maximum size in bytes; the first message's
  ///   version counts, because Arrow C++ states version 5 in all footers
  private void add(
      Block block, byte kind, org.apache.arrow.flatbuf.@Nullable Schema schema, int schemaBytes)
      throws IOException {
    long offset = block.offset();
    int length = block.metaDataLength();
    if (offset < HEAD_BYTES
        || length < 8
        || length > METADATA_BYTES_MAX
        || offset > file.size() - length) {
      throw where.fail(
          "Corrupt Arrow file: a block of %s bytes at byte %s is not in the file."
              .formatted(length, offset));
    }
    ByteBuffer bytes = bytes(offset, length);
    boolean continued = bytes.getInt(0) == CONTINUED;
    int start = continued ? 8 : 4;
    int stated = bytes.getInt(continued ? 4 : 0);
    if (stated < 0 || stated > length - start) {
      throw where.fail(
          offset,
          "Corrupt Arrow file: a message of " + stated + " bytes is in a block of " + length);
    }
    Message message = Message.getRootAsMessage(slice(bytes, start, stated));
    if (message.headerType() != kind) {
      throw where.fail(
          offset,
          "Corrupt Arrow file: the message is of kind %s but expected %s."
              .formatted(message.headerType(), kind));
    }
    if (columns == null) {
      schema(schema, message.version(), schemaBytes);
    }
    add(message, offset + length);
  }

  private static ByteBuffer slice(ByteBuffer bytes, int start, int length) {
    return bytes.slice(start, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  // --- Stream

  private void readStream() throws IOException {
    long size = file.size();
    long gap = file.advice().map(FetchAdvice::gapBytes).orElse(0L);
    boolean expected = false;
    boolean ended = false;
    long at = 0;
    while (at < size) {
      if (size - at < 4) {
        throw truncated(at);
      }
      int length = bytes(at, 4).getInt(0);
      at += 4;
      if (length == CONTINUED) {
        if (size - at < 4) {
          throw truncated(at);
        }
        length = bytes(at, 4).getInt(0);
        at += 4;
      }
      if (length == 0) {
        ended = true;
        at = behindZeros(at);
        continue;
      }
      if (length < 0 || length > METADATA_BYTES_MAX) {
        throw where.fail(
            at - 4,
            at <= 8
                ? "Not an Arrow file: it starts neither with 'ARROW1' nor with a message."
                : "Corrupt Arrow stream: a message has " + length + " bytes.");
      }
      if (length > size - at) {
        throw at <= 8
            ? where.fail(
                0,
                ("Not an Arrow file, or a truncated one: its first message has %s bytes but the"
                        + " file has %s.")
                    .formatted(length, size - at))
            : truncated(at);
      }
      Message message = Message.getRootAsMessage(bytes(at, length));
      at += length;
      long body = message.bodyLength();
      if (body < 0 || body > size - at) {
        throw truncated(at);
      }
      if (message.headerType() == MessageHeader.Schema) {
        Columns before = columns;
        schema(
            (org.apache.arrow.flatbuf.Schema) message.header(new org.apache.arrow.flatbuf.Schema()),
            message.version(),
            length);
        requireSame(before, at);
        ended = false;
      } else if (ended) {
        throw where.fail(
            at,
            "Corrupt Arrow stream: behind its end comes a message that does not start another.");
      } else {
        add(message, at);
      }
      if (!expected && body > 0 && body <= gap) {
        // Reading through bodies of this size is faster than a request for each message after them.
        expected = true;
        AheadFile.expect(file, List.of(new ByteRange(at, size - at)));
      }
      at += body;
    }
    if (!ended && columns != null && endRequired) {
      throw where.fail(
          at,
          Advice.of(
              "Truncated Arrow stream: it ends without an end mark, so batches may be missing. Write"
                  + " it anew, or set %s if its writer leaves the mark out.",
              Remedy.formatOption(IpcFormat.STREAM_END, "to", "optional")),
          null);
    }
  }

  /// Returns where the next message starts, if any: writers pad with zeros.
  private long behindZeros(long start) throws IOException {
    for (long at = start; at < file.size(); ) {
      byte[] piece = bytes(at, (int) Math.min(FOOTER_BYTES, file.size() - at)).array();
      for (int i = 0; i < piece.length; i++) {
        if (piece[i] != 0) {
          return at + (i & ~3); // The first bytes of a length may be zeros.
        }
      }
      at += piece.length;
    }
    return file.size();
  }

  /// A second stream after the first adds its rows.
  private void requireSame(@Nullable Columns before, long at) throws MalformedFileException {
    started.clear();
    if (before != null && columns != null && !before.equals(columns)) {
      throw where.fail(
          at,
          ("Unsupported Arrow stream: another stream comes behind it, with the columns %s"
                  + " but expected %s. Write each to a file of its own.")
              .formatted(names(columns), names(before)));
    }
  }

  private static List<Field> names(Columns columns) {
    return columns.columns().stream().map(IpcColumn::field).toList();
  }

  private MalformedFileException truncated(long at) {
    return where.fail(
        at, "Truncated Arrow stream: it ends within a message. Write it anew, or leave it out.");
  }

  // --- Messages

  private void schema(org.apache.arrow.flatbuf.@Nullable Schema schema, short version, int bytes)
      throws MalformedFileException {
    if (version != MetadataVersion.V4 && version != MetadataVersion.V5) {
      throw where.fail(
          "Unsupported Arrow version: the metadata is of version "
              + (version + 1)
              + " but only versions 4 and 5 are known. Write the file anew.");
    }
    if (schema == null) {
      throw where.fail("Corrupt Arrow file: it has no schema.");
    }
    Columns made = SchemaReader.read(schema, version, bytes, where);
    made.columns().forEach(this::addDictionaries);
    columns = made;
  }

  private void addDictionaries(IpcColumn column) {
    if (column.dictionary() != null) {
      dictionaryColumns.put(column.dictionary().id(), column.dictionary().values());
      addDictionaries(column.dictionary().values());
    }
    column.children().forEach(this::addDictionaries);
  }

  private void add(Message message, long body) throws IOException {
    Columns known = columns;
    if (known == null) {
      throw where.fail(body, "Corrupt Arrow stream: its first message is no schema.");
    }
    if (message.headerType() == MessageHeader.RecordBatch) {
      RecordBatch batch = (RecordBatch) message.header(new RecordBatch());
      FilePlace here = new FilePlace(file.location(), "record batch " + batches.size());
      Batch made = batch(batch, message, body, known.nodes(), known.buffers(), known.views(), here);
      for (IpcColumn column : known.columns()) {
        if (batch.nodes(column.place().node()).length() != made.rows()) {
          throw here.fail(
              body,
              "Corrupt Arrow file: column '%s' has %s rows but the batch has %s."
                  .formatted(
                      column.field().name(),
                      batch.nodes(column.place().node()).length(),
                      made.rows()));
        }
      }
      batches.add(made);
    } else if (message.headerType() == MessageHeader.DictionaryBatch) {
      var dictionary =
          (org.apache.arrow.flatbuf.DictionaryBatch)
              message.header(new org.apache.arrow.flatbuf.DictionaryBatch());
      IpcColumn values = dictionaryColumns.get(dictionary.id());
      FilePlace here = new FilePlace(file.location(), "dictionary " + dictionary.id());
      if (values == null) {
        throw here.fail(body, "Corrupt Arrow file: no column has this dictionary.");
      }
      IpcColumn.Layout layout = values.layout();
      boolean views = layout == IpcColumn.Layout.VIEWS;
      if (views || layout == IpcColumn.Layout.VARIABLE || layout == IpcColumn.Layout.FIXED) {
        int buffers = layout == IpcColumn.Layout.VARIABLE ? 3 : 2;
        Batch made = batch(dictionary.data(), message, body, 1, buffers, views ? 1 : 0, here);
        boolean more = !started.add(dictionary.id()) && dictionary.isDelta();
        dictionaries.add(new DictionaryBatch(dictionary.id(), more, made));
      }
    } else {
      throw where.fail(
          body, "Unsupported Arrow message: it is of kind " + message.headerType() + ".");
    }
  }

  private Batch batch(
      @Nullable RecordBatch batch,
      Message message,
      long body,
      int nodes,
      int buffers,
      int views,
      FilePlace here)
      throws MalformedFileException {
    long bodyBytes = message.bodyLength();
    if (batch == null || bodyBytes < 0 || bodyBytes > file.size() - body || batch.length() < 0) {
      throw here.fail(
          body,
          "Truncated Arrow file: a body of %s bytes is not in the file, which has %s."
              .formatted(bodyBytes, file.size()));
    }
    if (batch.variadicBufferCountsLength() != views) {
      throw here.fail(body, "Corrupt Arrow file: the views of the batch do not fit its schema.");
    }
    long[] counts = new long[views];
    long all = buffers;
    for (int i = 0; i < views; i++) {
      counts[i] = batch.variadicBufferCounts(i);
      if (counts[i] < 0 || counts[i] > batch.buffersLength()) {
        throw here.fail(body, "Corrupt Arrow file: a column has " + counts[i] + " buffers.");
      }
      all += counts[i];
    }
    if (batch.nodesLength() != nodes || batch.buffersLength() != all) {
      throw here.fail(
          body,
          ("Corrupt Arrow file: the batch has %s nodes and %s buffers but its schema needs"
                  + " %s and %s.")
              .formatted(batch.nodesLength(), batch.buffersLength(), nodes, all));
    }
    long[] nulls = new long[nodes];
    for (int i = 0; i < nodes; i++) {
      nulls[i] = batch.nodes(i).nullCount();
    }
    long[] offsets = new long[(int) all];
    long[] lengths = new long[(int) all];
    for (int i = 0; i < all; i++) {
      offsets[i] = batch.buffers(i).offset();
      lengths[i] = batch.buffers(i).length();
      if (offsets[i] < 0 || lengths[i] < 0 || offsets[i] > bodyBytes - lengths[i]) {
        throw here.fail(
            body,
            "Corrupt Arrow file: buffer %s is at bytes [%s, %s) of a body of %s."
                .formatted(i, offsets[i], offsets[i] + lengths[i], bodyBytes));
      }
    }
    IpcMetadata.Buffers placed =
        new IpcMetadata.Buffers(body, bodyBytes, offsets, lengths, codec(batch, message, here));
    return new Batch(batch.length(), nulls, counts, placed, dictionaries.size());
  }

  /// Returns how the buffers of a batch are compressed. Arrow 0.17 stated it in custom metadata,
  /// before the format had a field for it.
  private static int codec(RecordBatch batch, Message message, FilePlace here)
      throws MalformedFileException {
    BodyCompression compression = batch.compression();
    if (compression != null) {
      byte codec = compression.codec();
      if (codec != CompressionType.LZ4_FRAME && codec != CompressionType.ZSTD) {
        throw codec(here, "number " + codec);
      }
      return codec;
    }
    for (int i = 0; i < message.customMetadataLength(); i++) {
      KeyValue pair = message.customMetadata(i);
      if (message.version() == MetadataVersion.V4 && EARLY_COMPRESSION.equals(pair.key())) {
        String name = pair.value() == null ? "" : pair.value();
        return switch (name.toLowerCase(Locale.ROOT)) {
          case "uncompressed" -> IpcMetadata.PLAIN;
          case "lz4" -> CompressionType.LZ4_FRAME;
          case "zstd" -> CompressionType.ZSTD;
          default -> throw codec(here, "'" + name + "'");
        };
      }
    }
    return IpcMetadata.PLAIN;
  }

  private static MalformedFileException codec(FilePlace here, String found) {
    return here.fail(
        "Unsupported Arrow compression: "
            + found
            + " but only LZ4 frames and zstd are known. Write the file anew.");
  }
}
