package dev.penstock.internal.text;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/// Decompresses a gzip file of one or more members, and compares checksums.
///
/// Our own code, because the JDK's takes a truncated or damaged header for the end of the file.
final class GzipStream extends BlockStream {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int HEADER_CRC = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;
  private static final int RESERVED = 0xe0;

  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private final CRC32 headerCrc = new CRC32();
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int at;
  private int end;
  private long memberBytes;
  private boolean inMember;
  private boolean blocked; // the member is a block of BGZF, whose files end with an empty one
  private boolean any;
  private boolean ended;

  GzipStream(InputStream in) {
    super(in);
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (inMember || beginMember()) {
      int count = inflate(target, offset, length);
      if (count > 0) {
        crc.update(target, offset, count);
        memberBytes += count;
        return count;
      }
      if (inflater.finished()) {
        endMember();
      } else if (inflater.needsDictionary()) {
        throw new ZipException("a member needs a dictionary");
      } else if (fill()) {
        inflater.setInput(buffer, at, end - at);
        at = end;
      } else {
        throw new EOFException("it ends within a member");
      }
    }
    return -1;
  }

  private int inflate(byte[] target, int offset, int length) throws ZipException {
    try {
      return inflater.inflate(target, offset, length);
    } catch (DataFormatException e) {
      throw new ZipException(String.valueOf(e.getMessage()));
    }
  }

  /// Reads the next header; false at the end of the file.
  private boolean beginMember() throws IOException {
    int first = ended ? -1 : next();
    if (first <= 0 && any) {
      ended = true;
      InputStream taken = new ByteArrayInputStream(buffer, at, end - at);
      Compression.requirePadding(first, new SequenceInputStream(taken, in));
      if (blocked && memberBytes > 0) {
        throw new EOFException("it is in blocks (BGZF) but the empty block at its end is missing");
      }
      return false;
    }
    if (first < 0) {
      return false;
    }
    headerCrc.reset();
    headerCrc.update(first);
    require(
        first == 0x1f && header() == 0x8b, "a member is followed by neither another one nor zeros");
    restOfHeader();
    any = true;
    inMember = true;
    memberBytes = 0;
    crc.reset();
    inflater.reset();
    inflater.setInput(buffer, at, end - at);
    at = end;
    return true;
  }

  private void restOfHeader() throws IOException {
    require(header() == 8, "a member is not compressed by deflate");
    int flags = header();
    require((flags & RESERVED) == 0, "the header of a member has unknown flags");
    blocked = false;
    for (int i = 0; i < 6; i++) { // time, level, system
      header();
    }
    if ((flags & EXTRA) != 0) {
      extra(header() | header() << 8);
    }
    for (int text = flags & (NAME | COMMENT); text != 0; text &= text - 1) {
      while (header() != 0) {}
    }
    if ((flags & HEADER_CRC) != 0) {
      int expected = (int) headerCrc.getValue() & 0xffff;
      require((header() | header() << 8) == expected, "the checksum of a header is wrong");
    }
  }

  private void extra(int bytes) throws IOException {
    int left = bytes;
    while (left >= 4) {
      int id = header() | header() << 8;
      int length = header() | header() << 8;
      blocked |= id == ('B' | 'C' << 8) && length == 2;
      left -= 4;
      for (; left > 0 && length > 0; left--, length--) {
        header();
      }
    }
    for (; left > 0; left--) {
      header();
    }
  }

  private void endMember() throws IOException {
    at = end - inflater.getRemaining();
    inMember = false;
    long expected = trailer();
    require(expected == crc.getValue(), "the checksum of a member is wrong");
    require(trailer() == (memberBytes & 0xffffffffL), "the length of a member is wrong");
  }

  private long trailer() throws IOException {
    long value = 0;
    for (int i = 0; i < 4; i++) {
      value |= (long) required() << (8 * i);
    }
    return value;
  }

  private int header() throws IOException {
    int b = required();
    headerCrc.update(b);
    return b;
  }

  private int required() throws IOException {
    int b = next();
    if (b < 0) {
      throw new EOFException("it ends within a member");
    }
    return b;
  }

  private int next() throws IOException {
    return at < end || fill() ? buffer[at++] & 0xff : -1;
  }

  private boolean fill() throws IOException {
    int count = in.read(buffer, 0, buffer.length);
    at = 0;
    end = Math.max(count, 0);
    return count > 0;
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    super.close();
  }
}
