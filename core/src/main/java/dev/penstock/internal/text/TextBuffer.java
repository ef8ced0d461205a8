package dev.penstock.internal.text;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The piece of a file's text that is in memory, by address, with the padding of [Words]. It moves
/// through the text and grows if a record is longer.
public final class TextBuffer implements AutoCloseable {
  private static final int BYTES_MIN = 1 << 20;

  private final StorageFile file;
  private final TextForm form;
  private final TextInput in;
  private final Buffer buffer;
  private final long end;
  private long base;
  private long position; // the place of the first byte in memory
  private int length;
  private boolean ended;

  /// Opens a piece of text; nothing is read yet.
  ///
  /// @param file the open file
  /// @param form how its text is stored
  /// @param place where to start
  /// @param end where to end, in bytes of UTF-8
  /// @param memory where memory is taken from
  /// @throws IOException if the file cannot be read
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

  /// Returns the address of the first byte.
  ///
  /// @return the address; changes with [#move]
  public long from() {
    return base;
  }

  /// Returns the address after the last byte.
  ///
  /// @return the address; changes with [#move]
  public long to() {
    return base + length;
  }

  /// Returns whether this is the end of the text.
  ///
  /// @return true at the end of the text
  public boolean isLast() {
    return ended;
  }

  /// Returns how far the file was read.
  ///
  /// @return bytes
  public long fileBytes() {
    return in.fileBytes();
  }

  /// Returns the place in the text of an address.
  ///
  /// @param address an address in the buffer
  /// @return bytes of UTF-8 before it
  public long position(long address) {
    return position + address - base;
  }

  /// Opens a buffer at a group of records, up to the end of the last group with wanted rows.
  ///
  /// @param file the open file
  /// @param form how its text is stored
  /// @param groups its groups
  /// @param first the group to start with
  /// @param rows how many rows are wanted, counted from the start of that group
  /// @param memory where memory is taken from
  /// @return the buffer, at the start of the group
  /// @throws IOException if the file cannot be read
  public static TextBuffer open(
      StorageFile file,
      TextForm form,
      List<TextGroup> groups,
      int first,
      long rows,
      ScratchMemory memory)
      throws IOException {
    if (groups.isEmpty()) {
      return new TextBuffer(file, form, form.start(), 0, memory);
    }
    int last = first;
    for (long there = groups.get(first).rows(); there < rows; there += groups.get(last).rows()) {
      last++;
    }
    return new TextBuffer(file, form, groups.get(first).start(), groups.get(last).end(), memory);
  }

  /// Writes a byte after the last one, for loops that end with it.
  ///
  /// @param b the byte
  public void end(byte b) {
    buffer.segment().set(Raw.BYTE, length, b);
  }

  /// Drops the text before an address, and reads more.
  ///
  /// @param keep the first byte to keep
  /// @throws IOException if the file cannot be read, or a record does not fit
  public void move(long keep) throws IOException {
    int kept = (int) (to() - keep);
    if (kept > form.recordBytes()) {
      throw fail(
          keep,
          "",
          "Unsupported text: a record of more than "
              + form.recordBytes()
              + " bytes. Allow more by format option '"
              + FormatOptions.RECORD_BYTES
              + "': each reader may then take a few times as much memory. Or write the file anew in"
              + " shorter records.");
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

  /// Returns an error at an address.
  ///
  /// @param address the place
  /// @param where more detail on the place, such as `column 'x'`; may be empty
  /// @param sentence what is wrong
  /// @return the error, with the line
  /// @throws IOException if the line cannot be counted
  public MalformedFileException fail(long address, String where, String sentence)
      throws IOException {
    long at = position(address);
    String line = "line " + TextLines.number(file, form, at);
    return new MalformedFileException(
        file.location(),
        form.isPlain() ? at : -1,
        where.isEmpty() ? line : line + ", " + where,
        sentence,
        null);
  }

  /// Gives the memory back.
  @Override
  public void close() {
    in.close();
    buffer.release();
  }
}
