package dev.penstock.internal.parquet;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.internal.parquet.page.Page;
import dev.penstock.internal.parquet.page.Page.Part;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;

/// A column of strings or binaries.
///
/// A slice is either all codes into the chunk's dictionary or all plain values; it ends where the
/// file changes from one to the other, or where plain values fill [#SLICE_BYTES].
final class VariableColumnReader extends ColumnReader {
  private final Buffer values = new Buffer(memory);
  private final Buffer offsets = new Buffer(memory);
  private final Buffer codes = new Buffer(memory);
  private final Buffer dense = new Buffer(memory);
  private final Buffer dictionaryValues = new Buffer(memory);
  private final Buffer dictionaryOffsets = new Buffer(memory);
  private @Nullable TextDictionary dictionary;

  private @Nullable SizedValues sized; // for pages in other encodings
  private boolean full;

  private long used; // bytes of `values` that the slice has
  private @Nullable TextDictionary sliceDictionary;

  VariableColumnReader(Parts parts) {
    super(parts);
  }

  @Override
  int startSlice(int want) {
    used = 0;
    full = false;
    return want;
  }

  @Override
  void dropDictionary() {
    dictionary = null;
  }

  @Override
  boolean hasDictionary() {
    return dictionary != null;
  }

  @Override
  void startDictionary(Page page) throws PageException {
    Part from = page.values();
    int size = page.header().valueCount();
    long bytes = from.bytes();
    if (size * 4L > bytes) {
      throw PageException.of(
          "Truncated Parquet page: its dictionary claims %s values but has %s bytes.", size, bytes);
    }
    MemorySegment ends = dictionaryOffsets.ensure(4L * size + 4);
    ends.set(Raw.INT, 0, 0);
    long end = measure(from, from.start(), size, ends, 0, null);
    int length = ends.get(Raw.INT, 4L * size);
    MemorySegment target = dictionaryValues.ensure(length);
    gather(new Part(from.segment(), from.start(), end), size, ends, 0, null, target);
    dictionary = new TextDictionary(size, target.asSlice(0, length), ends);
  }

  @Override
  boolean accepts(Encoding encoding, int rows) {
    return !full && (rows == 0 || Encodings.isDictionary(encoding) == coded);
  }

  @Override
  void startPage(Page page) throws PageException {
    Encoding encoding = page.header().encoding();
    if (!coded && !plain) {
      if (!Encodings.readable(Type.BYTE_ARRAY).contains(encoding)) {
        throw Encodings.unsupported(encoding, Type.BYTE_ARRAY);
      }
      sized = SizedValues.of(encoding, sized, memory);
      sized.start(data.segment(), data.start(), data.end(), page.header().valueCount());
    }
  }

  /// Limits the rows of a slice of large values, by the mean size of those left in the page.
  @Override
  int limit(int count, int rows, int pageRows) throws PageException {
    if (coded) {
      return count;
    }
    if (!plain && !full) {
      // As if no row were null: few bytes can hold any number of long values.
      int want = Math.min(count, SizedValues.WINDOW);
      int fit = Objects.requireNonNull(sized).fit(want, SLICE_BYTES - used);
      full = fit < want;
      return rows == 0 ? Math.max(1, fit) : fit;
    }
    double mean = (double) (data.end() - position) / pageRows;
    if (full || used + mean * count <= SLICE_BYTES) {
      return full ? 0 : count;
    }
    full = true;
    int fit = (int) ((SLICE_BYTES - used) / mean);
    return rows == 0 ? Math.max(1, fit) : Math.max(0, fit);
  }

  @Override
  void decodeValues(int at, int count, int present, int most) throws PageException {
    boolean plainBefore = at > 0 && sliceDictionary == null;
    if (coded && plainBefore) {
      decodeCodes(0, at, count, present, count);
      writeOut(at, count, most);
    } else if (coded) {
      decodeCodes(at, at, count, present, most);
    } else {
      if (at > 0 && !plainBefore) {
        used = 0;
        writeOut(0, at, most);
      }
      if (plain) {
        decodePlain(at, count, present, most);
      } else {
        decodeSized(at, count, present, most);
      }
    }
  }

  /// Turns the codes of slots `[at, at + count)` into plain values, appended to those before: the
  /// writer gave up its dictionary within a row.
  private void writeOut(int at, int count, int most) throws PageException {
    MemorySegment ends = offsets.grow(most * 4L + 4, at * 4L + 4);
    ends.set(Raw.INT, at * 4L, (int) used);
    TextDictionary from = Objects.requireNonNull(sliceDictionary);
    used = append(from, codes.segment(), validity, at, count, ends, values);
    sliceDictionary = null;
  }

  /// Appends the values of slots `[at, at + count)`, each with a code, and returns how many bytes
  /// of `values` are used. Nulls become empty. `ends` has the offsets of all slots, set up to `at`.
  private static long append(
      TextDictionary dictionary,
      MemorySegment codes,
      SliceValidity validity,
      int at,
      int count,
      MemorySegment ends,
      Buffer values)
      throws PageException {
    long used = ends.get(Raw.INT, at * 4L);
    long offset = used;
    for (int i = 0; i < count; i++) {
      if (validity.isPresent(at + i)) {
        long code = codes.get(Raw.INT, i * 4L);
        offset += start(dictionary, code + 1) - start(dictionary, code);
      }
      ends.set(Raw.INT, (at + i + 1) * 4L, (int) offset);
    }
    if (offset > Integer.MAX_VALUE) {
      throw new PageException(
          "Unsupported Parquet row: its values have more than 2 GiB. Write smaller rows.");
    }
    MemorySegment target = values.grow(offset, used);
    for (int i = 0; i < count; i++) {
      int length = ends.get(Raw.INT, (at + i + 1) * 4L) - (int) used;
      if (length > 0) {
        long start = start(dictionary, codes.get(Raw.INT, i * 4L));
        MemorySegment.copy(dictionary.values(), start, target, used, length);
        used += length;
      }
    }
    return used;
  }

  private static int start(TextDictionary dictionary, long code) {
    return dictionary.offsets().get(Raw.INT, code * 4);
  }

  /// Decodes the codes of slots `[at, at + count)` to places from `place` on.
  private void decodeCodes(int place, int at, int count, int present, int most)
      throws PageException {
    MemorySegment target = codes.grow(most * 4L, place * 4L);
    long to = Raw.address(target, place * 4L, count * 4L);
    IndexDecoder indices = present > 0 ? indices() : null;
    if (dictionary == null) {
      MemorySegment empty = dictionaryOffsets.ensure(4);
      empty.set(Raw.INT, 0, 0);
      dictionary = new TextDictionary(0, MemorySegment.NULL, empty);
    }
    sliceDictionary = dictionary;
    if (indices == null) {
      target.asSlice(place * 4L, count * 4L).fill((byte) 0);
    } else if (present == count) {
      indices.codes(to, count, dictionary.size());
    } else {
      MemorySegment temporary = dense.ensure(count * 4L);
      indices.codes(Raw.address(temporary, 0, present * 4L), present, dictionary.size());
      long from = Raw.address(temporary, 0, present * 4L + 4);
      Spread.spreadCodes(from, to, validity.segment(), at, count);
    }
  }

  private void decodePlain(int at, int count, int present, int most) throws PageException {
    sliceDictionary = null;
    MemorySegment ends = offsets.grow(most * 4L + 4, at * 4L + 4);
    ends.set(Raw.INT, at * 4L, (int) used);
    MemorySegment bits = present == count ? null : validity.segment();
    long start = position;
    position = measure(data, start, count, ends, at, bits);
    long before = used;
    used = ends.get(Raw.INT, (at + count) * 4L);
    MemorySegment target = values.grow(used, before);
    gather(new Part(data.segment(), start, position), count, ends, at, bits, target);
  }

  private void decodeSized(int at, int count, int present, int most) throws PageException {
    sliceDictionary = null;
    SizedValues page = Objects.requireNonNull(sized);
    MemorySegment ends = offsets.grow(most * 4L + 4, at * 4L + 4);
    MemorySegment bits = present == count ? null : validity.segment();
    for (int done = 0; done < count; done += SizedValues.WINDOW) { // lists may exceed a window
      int part = Math.min(count - done, SizedValues.WINDOW);
      int there = bits == null ? part : Bits.count(bits, (long) at + done, part);
      long before = used;
      used = accumulate(page.lengths(there), there, ends, at + done, part, bits);
      page.take(there, used - before, values.grow(used, before), before);
    }
  }

  /// Writes the offsets of rows `[at, at + count)` from the lengths of those that are not null, and
  /// returns the last one.
  private long accumulate(
      MemorySegment lengths,
      int present,
      MemorySegment ends,
      int at,
      int count,
      @Nullable MemorySegment bits)
      throws PageException {
    long from = Raw.address(lengths, 0, present * 4L + 4); // null rows load the next row's length
    long to = Raw.address(ends, at * 4L, count * 4L + 4);
    long offset = used;
    Raw.ALL.set(Raw.INT, to, (int) offset);
    for (int done = 0; done < count; done += 64) {
      int part = Math.min(64, count - done);
      long valid = bits == null ? -1L : Bits.get(bits, (long) at + done, part);
      for (int i = 0; i < part; i++) {
        int bit = (int) (valid >>> i) & 1;
        offset += Raw.ALL.get(Raw.INT, from) & -bit;
        from += bit << 2;
        to += 4;
        Raw.ALL.set(Raw.INT, to, (int) offset);
      }
    }
    if (offset > Integer.MAX_VALUE) {
      throw tooManyBytes();
    }
    return offset;
  }

  /* Plain values are copied in two passes. measure() follows the lengths, each of which gives the
   * place of the next, and checks that all bytes are in the page; gather() then copies them, with
   * loads that do not wait for each other. */

  /// Writes the offsets of rows `[at, at + count)`, whose first is already there, and returns the
  /// position after their last value. Null rows are empty; `bits` is null if there are none.
  private static long measure(
      Part plain, long start, int count, MemorySegment ends, int at, @Nullable MemorySegment bits)
      throws PageException {
    long available = plain.end() - start;
    long from = Raw.address(plain.segment(), start, available);
    long to = Raw.address(ends, at * 4L, count * 4L + 4);
    long offset = Raw.ALL.get(Raw.INT, to);
    long at64 = 0;
    for (int done = 0; done < count; done += 64) {
      int part = Math.min(64, count - done);
      long valid = bits == null ? -1L : Bits.get(bits, (long) at + done, part);
      for (int i = 0; i < part; i++) {
        if (((valid >>> i) & 1) != 0) {
          if (available - at64 < 4) {
            throw tooLong(4, available - at64);
          }
          int length = Raw.ALL.get(Raw.INT, from + at64);
          at64 += 4;
          if (length < 0 || length > available - at64) {
            throw tooLong(Integer.toUnsignedLong(length), available - at64);
          }
          at64 += length;
          offset += length;
        }
        to += 4;
        Raw.ALL.set(Raw.INT, to, (int) offset);
      }
    }
    if (offset > Integer.MAX_VALUE) {
      throw tooManyBytes();
    }
    return start + at64;
  }

  private static PageException tooManyBytes() {
    return new PageException(
        "Unsupported Parquet page: the values of one page have more than 2 GiB.");
  }

  private static PageException tooLong(long needed, long left) {
    return new PageException(
        "Corrupt Parquet page: a value needs " + needed + " bytes but " + left + " are left.");
  }

  /// Copies the values that measure() found, row after row.
  ///
  /// A value is stored in whole words, which may run up to 15 bytes into the room of the next; that
  /// one is written afterwards, and the last value runs into the padding of both buffers.
  private static void gather(
      Part plain,
      int count,
      MemorySegment ends,
      int at,
      @Nullable MemorySegment bits,
      MemorySegment target) {
    long source = Raw.address(plain.segment(), plain.start(), plain.bytes() + 16);
    long offsets = Raw.address(ends, at * 4L, count * 4L + 4);
    int offset = Raw.ALL.get(Raw.INT, offsets);
    int last = Raw.ALL.get(Raw.INT, offsets + count * 4L);
    long to = Raw.address(target, offset, last - offset + 16L);
    for (int done = 0; done < count; done += 64) {
      int part = Math.min(64, count - done);
      long valid = bits == null ? -1L : Bits.get(bits, (long) at + done, part);
      for (int i = 0; i < part; i++) {
        offsets += 4;
        int next = Raw.ALL.get(Raw.INT, offsets);
        int length = next - offset;
        offset = next;
        source += ((valid >>> i) & 1) << 2;
        if (length <= 16) {
          Raw.ALL.set(Raw.LONG, to, Raw.ALL.get(Raw.LONG, source));
          Raw.ALL.set(Raw.LONG, to + 8, Raw.ALL.get(Raw.LONG, source + 8));
        } else {
          Raw.copy(source, to, length);
        }
        source += length;
        to += length;
      }
    }
  }

  @Override
  ColumnSlice view(int from, int count, int nullCount, @Nullable MemorySegment validity) {
    if (sliceDictionary != null) {
      return ColumnSlice.coded(
          type, count, nullCount, validity, codes.segment().asSlice(from * 4L), sliceDictionary);
    }
    return ColumnSlice.variable(
        type, count, nullCount, validity, values.segment(), offsets.segment().asSlice(from * 4L));
  }
}
