package dev.penstock.avro;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.format.MalformedFileException;
import dev.penstock.format.RowGroup;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.AheadFile;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.ScannedFile;
import dev.penstock.spi.storage.FetchAdvice;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.NameValidator;

/// Reads the header of a file and walks its blocks. Of each block it reads only its row count, its
/// size and the marker after it.
final class HeaderReader {
  static final byte[] MAGIC = {'O', 'b', 'j', 1};

  /// The name of the only column if rows are not records.
  private static final String ONLY_COLUMN = "value";

  private static final int MARKER_BYTES = 16;
  private static final int NUMBERS_BYTES = 20;
  private static final int FIRST_BYTES = 64 << 10;
  private static final long GROUP_BYTES = 4 << 20;

  private final StorageFile file;
  private final FilePlace where;

  private final long groupRowsMax;
  private final int blockBytesMax;
  private byte[] head = {}; // the first bytes of the file read so far

  private HeaderReader(StorageFile file, long groupRows, int blockBytes) {
    this.file = file;
    this.groupRowsMax = groupRows;
    this.blockBytesMax = blockBytes;
    this.where = new FilePlace(file.location(), "header");
  }

  /// @param groupRows the rows at which a row group is full, however few bytes they have
  /// @param blockBytes the most bytes of the header and of a block
  static AvroMetadata read(StorageFile file, long groupRows, int blockBytes) throws IOException {
    return new HeaderReader(file, groupRows, blockBytes).read();
  }

  /// Returns what is wrong with a part that has more bytes than it may.
  static Advice tooLong(String part, CountedBytes.TooLongException e) {
    return Advice.of(
        "Unsupported Avro %s: it has %s. Allow more by %s: each reader may then take as much memory."
            + " Or write the file anew with a smaller one.",
        part, e.getMessage(), Remedy.formatOption(AvroFormat.RECORD_BYTES));
  }

  private byte[] bytes(long offset, int length) throws IOException {
    return offset + length <= head.length
        ? Arrays.copyOfRange(head, (int) offset, (int) offset + length)
        : file.bytes(offset, length);
  }

  private AvroMetadata read() throws IOException {
    long size = file.size();
    if (size < MAGIC.length) {
      throw where.fail(
          "Truncated Avro file: it has "
              + size
              + " bytes but needs a header at least. Write it anew, or leave it out.");
    }
    Input input = new Input();
    Map<String, byte[]> header = new HashMap<>();
    for (long most = FIRST_BYTES; ; most *= 8) {
      int length = (int) Math.min(size, Math.min(most, blockBytesMax));
      head = bytes(0, length);
      if (!Arrays.equals(head, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
        throw where.fail(0, "Not an Avro file: it does not start with 'Obj' and the byte 1.");
      }
      input.reset(head, length);
      input.at = MAGIC.length;
      header.clear();
      try {
        readMap(input, header);
        input.skip(MARKER_BYTES);
        break;
      } catch (CorruptException e) {
        if (length == blockBytesMax && length < size) {
          CountedBytes.TooLongException tooLong = new CountedBytes.TooLongException(blockBytesMax);
          throw where.fail(input.at, tooLong("header", tooLong), e);
        }
        if (length == size) {
          throw where.fail(
              input.at, "Truncated Avro file: its header is not whole. " + e.getMessage(), e);
        }
      }
    }
    byte[] marker = Arrays.copyOfRange(input.bytes, input.at - MARKER_BYTES, input.at);
    org.apache.avro.Schema avro = schema(header);
    int end = input.at;
    Blocks blocks =
        Blocks.of(ScannedFile.scan(file, opened -> walking(opened).walk(end, marker).bytes()));
    requireSizes(blocks);
    return new AvroMetadata(
        columns(avro),
        avro,
        codec(header),
        blocks.groups,
        blocks.offsets,
        blocks.sizes,
        blocks.firstRows);
  }

  /// Checks the blocks as they are stored; what they decompress to shows when they are read.
  private void requireSizes(Blocks blocks) throws MalformedFileException {
    for (int i = 0; i < blocks.sizes.length; i++) {
      if (blocks.sizes[i] > blockBytesMax) {
        CountedBytes.TooLongException tooLong = new CountedBytes.TooLongException(blockBytesMax);
        throw block(i).fail(blocks.offsets[i], tooLong("block", tooLong), tooLong);
      }
    }
  }

  private static void readMap(Input input, Map<String, byte[]> map) {
    for (long count = input.number(); count != 0; count = input.number()) {
      if (count < 0) {
        input.number(); // bytes
        count = -count;
      }
      if (count < 0 || count > input.left()) {
        throw new CorruptException("It says that it has " + count + " entries.");
      }
      for (long i = 0; i < count; i++) {
        String key = new String(value(input), StandardCharsets.UTF_8);
        map.put(key, value(input));
      }
    }
  }

  private static byte[] value(Input input) {
    int length = input.length();
    byte[] value = Arrays.copyOfRange(input.bytes, input.at, input.at + length);
    input.skip(length);
    return value;
  }

  private org.apache.avro.Schema schema(Map<String, byte[]> header) throws MalformedFileException {
    byte[] text = header.get("avro.schema");
    if (text == null) {
      throw where.fail("Corrupt Avro file: its header has no 'avro.schema'.");
    }
    try {
      org.apache.avro.Schema.Parser parser =
          new org.apache.avro.Schema.Parser(NameValidator.NO_VALIDATION);
      parser.setValidateDefaults(false);
      org.apache.avro.Schema parsed = parser.parse(new String(text, StandardCharsets.UTF_8));
      if (parsed.getType() == org.apache.avro.Schema.Type.RECORD) {
        return parsed;
      }
      org.apache.avro.Schema.Field only = new org.apache.avro.Schema.Field(ONLY_COLUMN, parsed);
      return org.apache.avro.Schema.createRecord("row", null, null, false, List.of(only));
    } catch (RuntimeException | StackOverflowError e) { // the parser may throw anything
      throw where.fail(
          "Corrupt Avro file: its schema cannot be parsed (" + e.getMessage() + ").", e);
    }
  }

  private Codec codec(Map<String, byte[]> header) throws MalformedFileException {
    byte[] name = header.get("avro.codec");
    String label = name == null ? "null" : new String(name, StandardCharsets.UTF_8);
    for (Codec codec : Codec.values()) {
      if (codec.label().equals(label)) {
        return codec;
      }
    }
    throw where.fail(
        "Unsupported Avro codec '%s'. Known are: %s. Write the file anew with one of these."
            .formatted(label, Arrays.stream(Codec.values()).map(Codec::label).toList()));
  }

  private Schema columns(org.apache.avro.Schema avro) throws MalformedFileException {
    try {
      return Schema.of(AvroTypes.columns(avro));
    } catch (IllegalArgumentException e) {
      throw where.fail("Unsupported Avro schema: " + e.getMessage(), e);
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Blocks(List<RowGroup> groups, long[] offsets, int[] sizes, long[] firstRows) {
    byte[] bytes() {
      int longs = 2 * groups.size() + 1 + 2 * sizes.length;
      ByteBuffer bytes =
          ByteBuffer.allocate(Integer.BYTES * (1 + sizes.length) + Long.BYTES * longs);
      bytes.putInt(groups.size());
      for (RowGroup group : groups) {
        bytes.putLong(group.rowCount()).putLong(group.bytes());
      }
      bytes.putLong(firstRows[0]);
      for (int i = 0; i < sizes.length; i++) {
        bytes.putLong(offsets[i]).putInt(sizes[i]).putLong(firstRows[i + 1]);
      }
      return bytes.array();
    }

    static Blocks of(byte[] kept) {
      ByteBuffer bytes = ByteBuffer.wrap(kept);
      List<RowGroup> groups = new ArrayList<>();
      for (int left = bytes.getInt(); left > 0; left--) {
        groups.add(new RowGroup(bytes.getLong(), bytes.getLong()));
      }
      long first = bytes.getLong();
      int count = bytes.remaining() / (2 * Long.BYTES + Integer.BYTES);
      long[] offsets = new long[count];
      int[] sizes = new int[count];
      long[] firstRows = new long[count + 1];
      firstRows[0] = first;
      for (int i = 0; i < count; i++) {
        offsets[i] = bytes.getLong();
        sizes[i] = bytes.getInt();
        firstRows[i + 1] = bytes.getLong();
      }
      return new Blocks(List.copyOf(groups), offsets, sizes, firstRows);
    }
  }

  private HeaderReader walking(StorageFile opened) {
    HeaderReader walking = new HeaderReader(opened, groupRowsMax, blockBytesMax);
    walking.head = head;
    return walking;
  }

  private Blocks walk(long start, byte[] marker) throws IOException {
    List<RowGroup> groups = new ArrayList<>();
    long[] offsets = new long[16];
    int[] sizes = new int[16];
    long[] firstRows = new long[17];
    int count = 0;
    long groupRows = 0;
    long groupBytes = 0;
    Input input = new Input();
    byte[] numbers = bytes(start, (int) Math.min(NUMBERS_BYTES, file.size() - start));
    for (long at = start; at < file.size(); ) {
      input.reset(numbers, numbers.length);
      long rows;
      long size;
      try {
        rows = input.number();
        size = input.number();
      } catch (CorruptException e) {
        throw block(count).fail(at, "Truncated Avro file: a block has no length.", e);
      }
      long data = at + input.at;
      if (rows < 0
          || rows > Long.MAX_VALUE - firstRows[count]
          || size < 0
          || size > Integer.MAX_VALUE / 2
          || size > file.size() - data - MARKER_BYTES) {
        throw block(count)
            .fail(
                at,
                "Truncated Avro file: a block has %s rows in %s bytes but the file has %s more."
                    .formatted(rows, size, file.size() - data));
      }
      if (count == 0) {
        expectBlocks(data, size);
      }
      // Reads the marker and the counts of the next block at once.
      long left = file.size() - data - size;
      byte[] behind = bytes(data + size, (int) Math.min(MARKER_BYTES + NUMBERS_BYTES, left));
      numbers = Arrays.copyOfRange(behind, MARKER_BYTES, behind.length);
      if (!Arrays.equals(behind, 0, MARKER_BYTES, marker, 0, MARKER_BYTES)) {
        throw block(count)
            .fail(data + size, "Corrupt Avro file: the block does not end with the file's marker.");
      }
      if (count == sizes.length) {
        offsets = Arrays.copyOf(offsets, 2 * count);
        sizes = Arrays.copyOf(sizes, 2 * count);
        firstRows = Arrays.copyOf(firstRows, 2 * count + 1);
      }
      offsets[count] = data;
      sizes[count] = (int) size;
      firstRows[count + 1] = firstRows[count] + rows;
      count++;
      groupRows += rows;
      groupBytes += size;
      at = data + size + MARKER_BYTES;
      if (groupBytes >= GROUP_BYTES || groupRows >= groupRowsMax || at >= file.size()) {
        groups.add(new RowGroup(groupRows, groupBytes));
        groupRows = 0;
        groupBytes = 0;
      }
    }
    return new Blocks(
        List.copyOf(groups),
        Arrays.copyOf(offsets, count),
        Arrays.copyOf(sizes, count),
        Arrays.copyOf(firstRows, count + 1));
  }

  /// Announces the whole file if its blocks are so small that reading through one is faster than
  /// another request.
  private void expectBlocks(long first, long firstBytes) {
    long gap = file.advice().map(FetchAdvice::gapBytes).orElse(0L);
    if (firstBytes <= gap && file.size() > head.length) {
      AheadFile.expect(file, List.of(new ByteRange(first, file.size() - first)));
    }
  }

  private FilePlace block(int block) {
    return new FilePlace(file.location(), "block " + block);
  }
}
