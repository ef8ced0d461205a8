package dev.penstock.internal.planfile;

import dev.penstock.format.RowGroup;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.PartitionValue;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The bytes of a block of files.
final class FilesCode {
  private FilesCode() {}

  static void write(BlockWriter out, List<PlannedFile> files) {
    out.texts(files.stream().map(file -> file.location().text()).toList());
    out.numbers(files.stream().mapToLong(PlannedFile::bytes).toArray());
    out.texts(files.stream().map(PlannedFile::version).toList());
    out.numbers(files.stream().mapToLong(PlannedFile::schema).toArray());
    out.numbers(files.stream().mapToLong(file -> file.partition().size()).toArray());
    List<PartitionValue> values =
        files.stream().flatMap(file -> file.partition().stream()).toList();
    out.texts(values.stream().map(PartitionValue::key).toList());
    out.texts(
        values.stream().map(value -> value.text() == null ? "" : "=" + value.text()).toList());
    out.numbers(files.stream().mapToLong(file -> file.stored().size()).toArray());
    List<RowGroup> groups = files.stream().flatMap(file -> file.stored().stream()).toList();
    // The last row group of a file has fewer rows than the others, which are alike.
    out.numbers(rows(files.stream().flatMap(file -> last(file, false)).toList()));
    out.numbers(rows(files.stream().flatMap(file -> last(file, true)).toList()));
    long perRow = perRow(groups);
    out.count(perRow);
    out.numbers(
        groups.stream().mapToLong(each -> each.bytes() - perRow * each.rowCount()).toArray());
    long[] left = rows(files.stream().flatMap(file -> file.left().stream()).toList());
    Arrays.setAll(left, i -> groups.get(i).rowCount() - left[i]);
    out.numbers(left);
  }

  /// Returns the last row group of a file, if it has any, or the others.
  private static Stream<RowGroup> last(PlannedFile file, boolean last) {
    int end = Math.max(0, file.stored().size() - 1);
    return file.stored().stream().skip(last ? end : 0).limit(last ? 1 : end);
  }

  private static long[] rows(List<RowGroup> groups) {
    return groups.stream().mapToLong(RowGroup::rowCount).toArray();
  }

  /// Returns the mean size of a row: row groups differ from it by little.
  private static long perRow(List<RowGroup> groups) {
    double rows = groups.stream().mapToDouble(RowGroup::rowCount).sum();
    double bytes = groups.stream().mapToDouble(RowGroup::bytes).sum();
    return rows == 0 ? 0 : (long) Math.min(bytes / rows, 1L << 32);
  }

  /// Reads the files of a block.
  ///
  /// @param files how many files
  /// @param rowGroups how many row groups they have together
  /// @param schemas how many schemas the plan has
  static List<PlannedFile> read(BlockReader in, int files, int rowGroups, int schemas) {
    List<String> locations = in.texts(files);
    long[] bytes = in.counts(files, "a size");
    List<String> versions = in.texts(files);
    long[] schema = in.counts(files, "a schema");
    long[] partitions = in.counts(files, "a number of partitions");
    List<PartitionValue> values = values(in, Math.toIntExact(sum(partitions)));
    long[] counts = in.counts(files, "a number of row groups");
    if (sum(counts) != rowGroups) {
      throw BlockReader.wrong("it has %s row groups but expected %s", sum(counts), rowGroups);
    }
    long[] rows = rows(in, counts, rowGroups);
    sum(rows); // refuses more than a long can count
    long[] sizes = sizes(in, rows);
    long[] deleted = in.numbers(rowGroups);
    in.requireEnd();

    long[] left = rows.clone();
    for (int i = 0; i < rowGroups; i++) {
      left[i] -= BlockReader.require(deleted[i], rows[i] + 1, "a number of deleted rows");
    }
    List<PlannedFile> read = new ArrayList<>();
    int group = 0;
    int value = 0;
    for (int i = 0; i < files; i++) {
      BlockReader.require(schema[i], schemas, "a schema");
      int end = group + (int) counts[i];
      Location location = new Location(locations.get(i));
      List<RowGroup> stored = packed(location, rows, sizes, group, end);
      List<PartitionValue> partition = values.subList(value, value + (int) partitions[i]);
      read.add(
          new PlannedFile(
              location,
              bytes[i],
              versions.get(i),
              partition,
              (int) schema[i],
              stored,
              Arrays.equals(rows, group, end, left, group, end)
                  ? stored
                  : packed(location, left, sizes, group, end)));
      group = end;
      value += partition.size();
    }
    return read;
  }

  /// Returns row groups in the form that a table holds them in, and then shares.
  private static List<RowGroup> packed(
      Location file, long[] rows, long[] bytes, int start, int end) {
    List<RowGroup> groups =
        IntStream.range(start, end).mapToObj(i -> new RowGroup(rows[i], bytes[i])).toList();
    return new DataFileInfo(file, 0, groups).rowGroups();
  }

  private static long[] rows(BlockReader in, long[] counts, int rowGroups) {
    int withLast = (int) Arrays.stream(counts).filter(count -> count > 0).count();
    long[] others = in.counts(rowGroups - withLast, "a number of rows");
    long[] last = in.counts(withLast, "a number of rows");
    long[] rows = new long[rowGroups];
    int at = 0;
    int file = 0;
    for (long count : counts) {
      if (count > 0) {
        int more = (int) count - 1;
        System.arraycopy(others, at - file, rows, at, more);
        rows[at + more] = last[file++];
        at += (int) count;
      }
    }
    return rows;
  }

  private static long[] sizes(BlockReader in, long[] rows) {
    long perRow = in.count();
    long[] sizes = in.numbers(rows.length);
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] += perRow * rows[i];
      BlockReader.require(sizes[i], Long.MAX_VALUE, "the size of a row group");
    }
    return sizes;
  }

  private static long sum(long[] values) {
    return Arrays.stream(values).reduce(0, Math::addExact);
  }

  private static List<PartitionValue> values(BlockReader in, int count) {
    List<String> keys = in.texts(count);
    List<String> texts = in.texts(count);
    List<PartitionValue> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String text = texts.get(i);
      if (!text.isEmpty() && text.charAt(0) != '=') {
        throw BlockReader.wrong("a partition value is '%s'", text);
      }
      values.add(new PartitionValue(keys.get(i), text.isEmpty() ? null : text.substring(1)));
    }
    return values;
  }
}
