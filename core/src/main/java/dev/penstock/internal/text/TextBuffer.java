package dev.penstock.internal.text;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.spi.format.AheadFile;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The piece of a file's text that is in memory, by address, with the padding of [Swar]. It moves
/// through the text and grows if a record is longer.
public final class TextBuffer implements AutoCloseable {
  private static final int BYTES_MIN = 1 << 20;
  private static final long SAMPLE_BYTES = 4 << 20; // most samples take less

  private final StorageFile file;
  private final TextForm form;
  private final TextInput in;
  private final Buffer buffer;
  private final long end;
  private long base;
  private long position; // the place of the first byte in memory
  private int length;
  private boolean ended;

  /// Opens the text from a place to `end`, in bytes of UTF-8; nothing is read yet.
  public TextBuffer(
      StorageFile file, TextForm form, TextPlace place, long end, ScratchMemory memory)
      throws IOException {
    this.file = file;
    this.form = form;
    this.in = TextInput.open(file, form, place);
    this.buffer = new Buffer(memory);
    this.end = end;
    this.position = place.at();
    this.ended = end <= position;
  }

  /// Returns the address of the first byte; changes with [#move].
  public long from() {
    return base;
  }

  /// Returns the address after the last byte; changes with [#move].
  public long to() {
    return base + length;
  }

  /// Returns whether the text ends with these bytes.
  public boolean isLast() {
    return ended;
  }

  /// Announces the bytes that will be read to learn what is in a file: its start for a sample, and
  /// all of it to count its records.
  public static void expectSample(StorageFile file) {
    ByteRange sample = new ByteRange(0, Math.min(SAMPLE_BYTES, file.size()));
    AheadFile.expect(file, List.of(sample, new ByteRange(0, file.size())));
  }

  /// Announces that the bytes of a sample, which were read so far, will be read again, unless
  /// [#expectSample] did.
  public void expectSampleAgain() {
    if (in.fileBytes() > SAMPLE_BYTES) {
      AheadFile.expect(file, List.of(new ByteRange(0, in.fileBytes())));
    }
  }

  /// Returns how many bytes of UTF-8 of the text are before an address in the buffer.
  public long position(long address) {
    return position + address - base;
  }

  /// Writes a byte after the last one, for loops that end with it.
  public void end(byte b) {
    buffer.segment().set(Raw.BYTE, length, b);
  }

  /// Drops the text before an address, and reads more. A record that does not fit is an error.
  public void move(long keep) throws IOException {
    int kept = (int) (to() - keep);
    if (kept > form.recordBytes()) {
      throw fail(
          keep,
          "",
          Advice.of(
              "Unsupported text: a record of more than %s bytes. Allow more by %s: each reader may"
                  + " then take a few times as much memory. Or write the file anew in shorter"
                  + " records.",
              form.recordBytes(), Remedy.formatOption(FormatOptions.RECORD_BYTES)));
    }
    long most = form.recordBytes() + 1L; // with the end of its line
    long usual = Math.max(2L * kept, Math.min(BYTES_MIN, end - position(keep) + 1));
    long wanted = Math.min(most, usual);
    long here = position(keep);
    if (wanted > buffer.capacity()) {
      MemorySegment old = buffer.segment();
      if (kept > 0) {
        // The tail is moved to the front first, because growing keeps the front.
        MemorySegment.copy(old, keep - base, old, 0, kept);
      }
      buffer.grow(wanted, kept);
    } else if (kept > 0) {
      MemorySegment.copy(buffer.segment(), keep - base, buffer.segment(), 0, kept);
    }
    position = here;
    length = kept;
    base = Raw.address(buffer.segment(), 0, buffer.segment().byteSize());
    int room = (int) Math.min(most, buffer.capacity());
    while (length < room && !ended) {
      long left = end - position - length;
      int count =
          left <= 0 ? 0 : in.read(buffer.segment(), length, (int) Math.min(left, room - length));
      length += count;
      ended = count == 0;
    }
    ended |= position + length >= end;
  }

  /// Returns an error at an address, with its line, which is counted now. `where` is more detail,
  /// such as `column 'x'`, or empty.
  public MalformedFileException fail(long address, String where, Advice sentence)
      throws IOException {
    long at = position(address);
    String line = "line " + TextInput.line(file, form, at);
    return new MalformedFileException(
        file.location(),
        form.isPlain() ? at : -1,
        where.isEmpty() ? line : line + ", " + where,
        sentence,
        null);
  }

  /// Returns an error that names no option.
  public MalformedFileException fail(long address, String where, String sentence)
      throws IOException {
    return fail(address, where, Advice.text(sentence));
  }

  @Override
  public void close() {
    in.close();
  }
}
