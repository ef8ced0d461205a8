package dev.penstock.internal.text;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Converts text of another encoding to UTF-8.
final class Utf8Stream extends BlockStream {
  private static final int BLOCK_BYTES = 64 << 10;

  /// How many starts of blocks are kept: enough for the most text read ahead in a group of rows.
  private static final int MARKS_MAX = 256;

  private final TextForm form;
  private final Location location;
  private final CharsetDecoder decoder;
  private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
  private final ByteBuffer bytes = ByteBuffer.allocate(BLOCK_BYTES).limit(0);
  private final CharBuffer chars = CharBuffer.allocate(BLOCK_BYTES);
  private final ByteBuffer text = ByteBuffer.allocate(3 * BLOCK_BYTES).limit(0);
  private final List<TextPlace> marks = new ArrayList<>();
  private long read;
  private long given;
  private boolean ended;

  /// Makes the stream. `read` and `given` are the places in the file and in the text of the first
  /// byte of `in`.
  Utf8Stream(InputStream in, TextForm form, Location location, long read, long given) {
    super(in);
    this.form = form;
    this.location = location;
    this.decoder =
        form.charset()
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    this.read = read;
    this.given = given;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    while (!text.hasRemaining()) {
      if (ended) {
        return -1;
      }
      fill();
    }
    int count = Math.min(length, text.remaining());
    text.get(target, offset, count);
    given += count;
    return count;
  }

  /// Decodes the next block. A block starts with a whole character, so that it can be read alone.
  private void fill() throws IOException {
    bytes.compact();
    int count = in.readNBytes(bytes.array(), bytes.position(), bytes.remaining());
    ended = count == 0 || bytes.position() + count < bytes.capacity();
    bytes.position(bytes.position() + count).flip();
    if (marks.size() == MARKS_MAX) {
      marks.removeFirst();
    }
    marks.add(new TextPlace(given, read, given));
    int before = bytes.position();
    chars.clear();
    CoderResult result = decoder.decode(bytes, chars, ended);
    if (result.isError()) {
      throw new MalformedFileException(
          location,
          form.compression() == Compression.NONE ? read + bytes.position() - before : -1,
          "",
          Sentence.of(
              "Corrupt text: %s bytes are no character in %s. State another encoding.",
              result.length(), form.charset()),
          null);
    }
    decoder.reset();
    read += bytes.position() - before;
    text.clear();
    encoder.reset();
    encoder.encode(chars.flip(), text, true);
    encoder.flush(text);
    text.flip();
  }

  /// Returns a place, with the start of its block or of the nearest kept block before it.
  TextPlace place(long at) {
    for (TextPlace mark : marks.reversed()) {
      if (mark.at() <= at) {
        return new TextPlace(at, mark.restart(), mark.at());
      }
    }
    return new TextPlace(at, 0, 0);
  }
}
