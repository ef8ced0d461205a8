package dev.penstock.internal.cache;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What is in a segment: its files, the sets of columns that were decoded together, and its
/// records.
///
/// **Threads.** Filled by one; read by any after that.
final class SegmentIndex {
  static final int DICTIONARY = -1; // the set of a dictionary, which other records refer to
  static final int METADATA = -2; // the set of what is known about a file as a whole
  static final int EMPTY_BYTES = 3 * Integer.BYTES; // the bytes of an index without entries
  private static final int RECORD_LONGS = 4;

  /// The bytes of a record's entry.
  static final int RECORD_BYTES = 2 * Integer.BYTES + RECORD_LONGS * Long.BYTES;

  private static final int NAME_CHARS_MAX = 1000;

  private final Map<FileKey, Integer> fileNumbers = new LinkedHashMap<>();
  private final List<FileKey> files = new ArrayList<>();
  private final List<String> names = new ArrayList<>(); // of the files, for people
  private final List<long[]> sets = new ArrayList<>();
  private long entryBytes; // of files and sets
  private int count;
  private int[] fileAndSet = new int[32]; // two for each record
  private long[] places = new long[64]; // first row, rows and checksum, offset, bytes

  int files() {
    return files.size();
  }

  FileKey file(int number) {
    return files.get(number);
  }

  String name(int number) {
    return names.get(number);
  }

  /// Returns the number of a file, which is added if it is new.
  int file(FileKey key, String name) {
    return fileNumbers.computeIfAbsent(
        key,
        _ -> {
          files.add(key);
          names.add(shortened(name));
          entryBytes += fileBytes(name);
          return files.size() - 1;
        });
  }

  private static String shortened(String name) {
    return name.substring(0, Math.min(name.length(), NAME_CHARS_MAX));
  }

  boolean hasFile(FileKey key) {
    return fileNumbers.containsKey(key);
  }

  /// Returns the most bytes of a file's entry.
  static long fileBytes(String name) {
    return 2 * Long.BYTES + Short.BYTES + 3L * shortened(name).length();
  }

  /// Returns the number of a set of columns, which is added if it is new.
  int set(long[] columns) {
    int known = find(columns);
    if (known >= 0) {
      return known;
    }
    sets.add(columns);
    entryBytes += setBytes(columns);
    return sets.size() - 1;
  }

  private int find(long[] columns) {
    for (int i = sets.size() - 1; i >= 0; i--) {
      if (Arrays.equals(sets.get(i), columns)) {
        return i;
      }
    }
    return -1;
  }

  boolean hasSet(long[] columns) {
    return find(columns) >= 0;
  }

  /// Returns the bytes of the entry of a set of columns.
  static long setBytes(long[] columns) {
    return Integer.BYTES + (long) Long.BYTES * columns.length;
  }

  /// Returns the most bytes that [#encoded()] gives.
  long bytes() {
    return EMPTY_BYTES + entryBytes + (long) RECORD_BYTES * count;
  }

  long[] columns(int set) {
    return sets.get(set);
  }

  int records() {
    return count;
  }

  int add(int file, int set, long firstRow, int rows, int checksum, long offset, long bytes) {
    if (fileAndSet.length < 2 * count + 2) {
      fileAndSet = Arrays.copyOf(fileAndSet, 2 * fileAndSet.length);
    }
    if (places.length < RECORD_LONGS * (count + 1)) {
      places = Arrays.copyOf(places, 2 * places.length);
    }
    fileAndSet[2 * count] = file;
    fileAndSet[2 * count + 1] = set;
    places[RECORD_LONGS * count] = firstRow;
    places[RECORD_LONGS * count + 1] = ((long) rows << 32) | (checksum & 0xFFFFFFFFL);
    places[RECORD_LONGS * count + 2] = offset;
    places[RECORD_LONGS * count + 3] = bytes;
    return count++;
  }

  int fileOf(int record) {
    return fileAndSet[2 * record];
  }

  int setOf(int record) {
    return fileAndSet[2 * record + 1];
  }

  long firstRow(int record) {
    return places[RECORD_LONGS * record];
  }

  int rows(int record) {
    return (int) (places[RECORD_LONGS * record + 1] >>> 32);
  }

  int checksum(int record) {
    return (int) places[RECORD_LONGS * record + 1];
  }

  long offset(int record) {
    return places[RECORD_LONGS * record + 2];
  }

  long bytes(int record) {
    return places[RECORD_LONGS * record + 3];
  }

  byte[] encoded() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(files.size());
    for (int i = 0; i < files.size(); i++) {
      out.writeLong(files.get(i).high());
      out.writeLong(files.get(i).low());
      out.writeUTF(names.get(i));
    }
    out.writeInt(sets.size());
    for (long[] set : sets) {
      out.writeInt(set.length);
      for (long column : set) {
        out.writeLong(column);
      }
    }
    out.writeInt(count);
    for (int i = 0; i < count; i++) {
      out.writeInt(fileOf(i));
      out.writeInt(setOf(i));
      for (int k = 0; k < RECORD_LONGS; k++) {
        out.writeLong(places[RECORD_LONGS * i + k]);
      }
    }
    return bytes.toByteArray();
  }

  /// Reads an index whose checksum was right; records end at `segmentBytes`.
  ///
  /// @throws IOException if it contradicts itself
  static SegmentIndex decoded(DataInputStream in, long segmentBytes) throws IOException {
    SegmentIndex index = new SegmentIndex();
    int files = count(in, in.readInt());
    for (int i = 0; i < files; i++) {
      index.file(new FileKey(in.readLong(), in.readLong()), in.readUTF());
    }
    int sets = count(in, in.readInt());
    for (int i = 0; i < sets; i++) {
      long[] columns = new long[count(in, in.readInt())];
      for (int k = 0; k < columns.length; k++) {
        columns[k] = in.readLong();
      }
      index.sets.add(columns);
    }
    int records = count(in, in.readInt());
    for (int i = 0; i < records; i++) {
      int file = in.readInt();
      int set = in.readInt();
      long firstRow = in.readLong();
      long rows = in.readLong();
      long offset = in.readLong();
      long bytes = in.readLong();
      boolean isKnown = file >= 0 && file < files && set >= METADATA && set < sets;
      boolean isInside = offset >= 0 && bytes >= 0 && offset <= segmentBytes - bytes;
      if (!isKnown || !isInside || firstRow < 0 || rows < 0) {
        throw new IOException("record " + i + " is not in the segment");
      }
      index.add(file, set, firstRow, (int) (rows >>> 32), (int) rows, offset, bytes);
    }
    return index;
  }

  private static int count(DataInputStream in, int stated) throws IOException {
    if (stated < 0 || stated > in.available()) {
      throw new IOException("a number is too large");
    }
    return stated;
  }
}
