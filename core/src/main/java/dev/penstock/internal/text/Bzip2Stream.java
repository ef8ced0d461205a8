package dev.penstock.internal.text;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipException;

/// Decompresses one or several concatenated bzip2 streams, and compares checksums.
///
/// Our own code, because commons-compress, which is not faster, brings three libraries with it:
/// four jars of 2.8 MB for one class, where all of core's are 10.7 MB.
final class Bzip2Stream extends BlockStream {
  private static final long BLOCK_MAGIC = 0x314159265359L;
  private static final long END_MAGIC = 0x177245385090L;
  private static final int LEVEL_BYTES = 100_000;
  private static final int RUN = 50; // symbols that share a Huffman table
  private static final int LENGTH_MAX = 20;
  private static final int[] CRC = crcTable();

  private long bits;
  private int bitCount;

  private int[] chain = {};
  private int left; // bytes of the block before its last run-length decoding
  private int at;
  private int before = -1;
  private int same;
  private int repeat;
  private int crc;
  private int blockCrc;
  private int streamCrc;
  private boolean inBlock;
  private boolean inStream;
  private boolean ended;

  Bzip2Stream(InputStream in) {
    super(in);
  }

  private static int[] crcTable() {
    int[] table = new int[256];
    for (int i = 0; i < 256; i++) {
      int value = i << 24;
      for (int bit = 0; bit < 8; bit++) {
        value = value < 0 ? (value << 1) ^ 0x04c11db7 : value << 1;
      }
      table[i] = value;
    }
    return table;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int count = 0;
    while (count < length) {
      if (repeat > 0) {
        repeat--;
        target[offset + count++] = out(before);
      } else if (left > 0) {
        // Four equal bytes are followed by the number of further repetitions.
        int entry = chain[at];
        at = entry >>> 8;
        left--;
        int value = entry & 0xff;
        if (same == 4) {
          repeat = value;
          same = 0;
        } else {
          same = value == before ? same + 1 : 1;
          before = value;
          target[offset + count++] = out(value);
        }
      } else if (!nextBlock()) {
        break;
      }
    }
    return count == 0 && length > 0 ? -1 : count;
  }

  private byte out(int value) {
    crc = crc << 8 ^ CRC[(crc >>> 24) ^ value];
    return (byte) value;
  }

  /// Reads the next block, if need be of the next stream.
  private boolean nextBlock() throws IOException {
    if (inBlock) {
      inBlock = false;
      require(~crc == blockCrc, "the checksum of a block is wrong");
      streamCrc = (streamCrc << 1 | streamCrc >>> 31) ^ blockCrc;
    }
    while (!ended) {
      if (!inStream && !beginStream()) {
        ended = true;
        return false;
      }
      long magic = (long) take(24) << 24 | take(24);
      if (magic == BLOCK_MAGIC) {
        block();
        return true;
      }
      require(magic == END_MAGIC, "there is no block where one should be");
      require((take(16) << 16 | take(16)) == streamCrc, "the checksum of all blocks is wrong");
      bitCount -= bitCount % 8;
      inStream = false;
    }
    return false;
  }

  private boolean beginStream() throws IOException {
    if (bitCount == 0) {
      int first = in.read();
      if (first <= 0) {
        Compression.requirePadding(first, in);
        return false;
      }
      bits = first;
      bitCount = 8;
    }
    require(take(8) == 'B' && take(8) == 'Z' && take(8) == 'h', "a stream does not start with BZh");
    int level = take(8) - '0';
    require(level >= 1 && level <= 9, "the block size is not 1 to 9");
    if (chain.length < level * LEVEL_BYTES) {
      chain = new int[level * LEVEL_BYTES];
    }
    streamCrc = 0;
    inStream = true;
    return true;
  }

  /// Decodes a block up to its last step, which [#read] does.
  private void block() throws IOException {
    blockCrc = take(16) << 16 | take(16);
    require(take(1) == 0, "it is of a version before 0.9.5, whose blocks are shuffled");
    int origin = take(24);
    byte[] front = new byte[256];
    int used = symbols(front);
    int alphabet = used + 2;
    int tables = take(3);
    int selectorCount = take(15);
    require(tables >= 2 && tables <= 6 && selectorCount > 0, "it has wrong Huffman tables");
    byte[] selectors = selectors(tables, selectorCount);
    int[][] codes = new int[tables][];
    for (int t = 0; t < tables; t++) {
      codes[t] = codes(lengths(alphabet));
    }
    int[] counts = new int[256];
    int size = 0;
    int group = -1;
    int inGroup = 0;
    long run = 0;
    long weight = 1;
    int[] table = codes[0];
    while (true) {
      if (inGroup == 0) {
        require(++group < selectorCount, "it has more symbols than it says");
        table = codes[selectors[group]];
        inGroup = RUN;
      }
      inGroup--;
      int symbol = symbol(table);
      if (symbol <= 1) { // a digit of the length of a run
        run += weight << symbol;
        weight <<= 1;
        require(run <= chain.length, "a run is longer than a block");
        continue;
      }
      if (run > 0) {
        int value = front[0] & 0xff;
        require(size + run <= chain.length, "a block is longer than it may be");
        counts[value] += (int) run;
        for (int end = size + (int) run; size < end; size++) {
          chain[size] = value;
        }
        run = 0;
      }
      weight = 1;
      if (symbol == alphabet - 1) {
        break;
      }
      require(size < chain.length, "a block is longer than it may be");
      byte moved = front[symbol - 1];
      System.arraycopy(front, 0, front, 1, symbol - 1);
      front[0] = moved;
      counts[moved & 0xff]++;
      chain[size++] = moved & 0xff;
    }
    require(origin < size, "a block starts outside itself");
    invert(counts, size, origin);
  }

  /// Undoes the Burrows-Wheeler transform: adds to each byte the place of its successor.
  private void invert(int[] counts, int size, int origin) {
    int sum = 0;
    for (int i = 0; i < 256; i++) {
      int count = counts[i];
      counts[i] = sum;
      sum += count;
    }
    for (int i = 0; i < size; i++) {
      chain[counts[chain[i] & 0xff]++] |= i << 8;
    }
    at = chain[origin] >>> 8;
    left = size;
    before = -1;
    same = 0;
    crc = -1;
    inBlock = true;
  }

  private int symbols(byte[] front) throws IOException {
    int groups = take(16);
    int used = 0;
    for (int i = 0; i < 16; i++) {
      if ((groups & 0x8000 >> i) != 0) {
        int some = take(16);
        for (int j = 0; j < 16; j++) {
          if ((some & 0x8000 >> j) != 0) {
            front[used++] = (byte) (16 * i + j);
          }
        }
      }
    }
    require(used > 0, "a block has no symbols");
    return used;
  }

  private byte[] selectors(int tables, int count) throws IOException {
    byte[] front = new byte[tables];
    for (int t = 0; t < tables; t++) {
      front[t] = (byte) t;
    }
    byte[] selectors = new byte[count];
    for (int i = 0; i < count; i++) {
      int place = 0;
      while (take(1) == 1) {
        require(++place < tables, "it names a Huffman table that is not there");
      }
      byte moved = front[place];
      System.arraycopy(front, 0, front, 1, place);
      front[0] = moved;
      selectors[i] = moved;
    }
    return selectors;
  }

  private int[] lengths(int alphabet) throws IOException {
    int[] lengths = new int[alphabet];
    int length = take(5);
    for (int i = 0; i < alphabet; i++) {
      while (take(1) == 1) {
        length += take(1) == 0 ? 1 : -1;
        require(length >= 1 && length <= LENGTH_MAX, "a Huffman code is too long");
      }
      require(length >= 1 && length <= LENGTH_MAX, "a Huffman code is too long");
      lengths[i] = length;
    }
    return lengths;
  }

  /// Returns a table for [#symbol]: for each length, the end of the codes of this length and the
  /// number to add to a code to get the place of its symbol; then the symbols in that order.
  private static int[] codes(int[] lengths) {
    int[] table = new int[2 * (LENGTH_MAX + 1) + lengths.length];
    int code = 0;
    int place = 2 * (LENGTH_MAX + 1);
    for (int length = 1; length <= LENGTH_MAX; length++) {
      table[2 * length + 1] = place - code;
      for (int i = 0; i < lengths.length; i++) {
        if (lengths[i] == length) {
          table[place++] = i;
          code++;
        }
      }
      table[2 * length] = code;
      code <<= 1;
    }
    return table;
  }

  private int symbol(int[] table) throws IOException {
    int code = 0;
    for (int length = 1; length <= LENGTH_MAX; length++) {
      code = code << 1 | take(1);
      if (code < table[2 * length]) {
        int place = code + table[2 * length + 1];
        require(place >= 2 * (LENGTH_MAX + 1) && place < table.length, "a Huffman code is wrong");
        return table[place];
      }
    }
    throw new ZipException("a Huffman code is wrong");
  }

  private int take(int count) throws IOException {
    while (bitCount < count) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("it ends within a stream");
      }
      bits = bits << 8 | next;
      bitCount += 8;
    }
    bitCount -= count;
    return (int) (bits >>> bitCount) & (int) ((1L << count) - 1);
  }
}
