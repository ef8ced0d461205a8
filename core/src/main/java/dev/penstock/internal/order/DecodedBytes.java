package dev.penstock.internal.order;

import dev.penstock.internal.plan.Source;
import dev.penstock.internal.table.FileStatistics;
import dev.penstock.internal.table.TableFile;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Estimates how much memory decoded columns take, from what files say of themselves.
public final class DecodedBytes {
  /// A value of variable length has at least its offset and a few bytes.
  private static final long VARIABLE_BYTES = 8;

  private DecodedBytes() {}

  /// Estimates the bytes of all rows of some datasets, at least 1 a row.
  static long of(List<Source> sources) {
    return sources.stream().mapToLong(source -> of(source.table().files(), source.schema())).sum();
  }

  /// Estimates the bytes of all rows of some files, at least 1 a row. What the first files state is
  /// taken for all.
  public static long of(List<TableFile> files, Schema schema) {
    List<Long> stated = FileStatistics.hints(files, file -> of(file, schema));
    double bytes = stated.stream().mapToLong(Long::longValue).sum();
    long looked = rows(files.subList(0, stated.size()));
    return looked == 0 ? (long) bytes : Math.round(bytes / looked * rows(files));
  }

  private static long rows(List<TableFile> files) {
    return files.stream().mapToLong(file -> file.info().rows()).sum();
  }

  private static long of(FileStatistics statistics, Schema schema) {
    TableFile file = statistics.file();
    long rows = file.info().rows();
    long bytes = rows;
    boolean isAnyUnstated = false;
    for (Field field : schema.fields()) {
      long width = field.type() instanceof DataType.Bool ? 1 : field.type().byteWidth();
      OptionalLong stated = width > 0 ? OptionalLong.of(0) : stated(statistics, field);
      bytes += Math.max(rows * (width > 0 ? width : VARIABLE_BYTES), stated.orElse(0));
      isAnyUnstated |= stated.isEmpty();
    }
    return bytes + (isAnyUnstated ? file.info().bytes() : 0); // as if these were all of the file
  }

  /// Returns what a file says of a column whose values have no fixed width.
  private static OptionalLong stated(FileStatistics statistics, Field field) {
    TableFile file = statistics.file();
    Optional<Field> read = file.columns().source(field).read();
    if (read.isEmpty()) {
      return OptionalLong.of(0);
    }
    long bytes = 0;
    for (int group = 0; group < file.footer().rowGroups().size(); group++) {
      OptionalLong work = statistics.storedWork(group, read.get().name());
      if (work.isEmpty()) {
        return work;
      }
      bytes += work.getAsLong();
    }
    return OptionalLong.of(bytes);
  }
}
