package dev.penstock.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.local.LocalStorage;
import dev.penstock.internal.parquet.ParquetFormat;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.split.DataFileInfo;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ValuesPerRowTest {
  /// What a file says of a row group; -1 values are not said.
  private record Group(long rows, long values) {}

  private record Said(List<Group> groups) implements FileMetadata {
    Said(Group... groups) {
      this(List.of(groups));
    }

    @Override
    public Schema schema() {
      return Schema.of(List.of(new Field("c", DataType.int64(), false)));
    }

    @Override
    public List<RowGroup> rowGroups() {
      return groups.stream().map(group -> new RowGroup(group.rows(), 0)).toList();
    }

    @Override
    public OptionalLong valueCount(int rowGroup, String column) {
      long values = groups.get(rowGroup).values();
      return values == -1 ? OptionalLong.empty() : OptionalLong.of(values);
    }
  }

  private static ValuesPerRow of(Said... files) {
    List<TableFile> table = new ArrayList<>();
    for (Said file : files) {
      table.add(
          TableFiles.alone(
              new DataFileInfo(new Location("file"), 0, file.rowGroups()),
              "",
              file,
              new ParquetFormat(),
              new LocalStorage()));
    }
    return ValuesPerRow.of(table, "c");
  }

  private static Group group(long rows, long values) {
    return new Group(rows, values);
  }

  @Test
  void oneNumberInAllRowGroupsAndFilesIsUniform() {
    assertThat(of(new Said(group(10, 30), group(0, 0), group(4, 12)), new Said(group(1, 3))))
        .isEqualTo(new ValuesPerRow(3, 3));
  }

  @Test
  void anyOtherNumberIsNot() {
    assertThat(of(new Said(group(10, 30), group(10, 31)))).isEqualTo(new ValuesPerRow(0, 4));
    assertThat(of(new Said(group(10, 30)), new Said(group(10, 40))))
        .isEqualTo(new ValuesPerRow(0, 4));
    assertThat(of(new Said(group(10, 35), group(10, 40)))).isEqualTo(new ValuesPerRow(0, 4));
  }

  @Test
  void fewRowsWithManyValuesCount() {
    assertThat(of(new Said(group(1_000_000, 1_000_000), group(10, 10_000))))
        .isEqualTo(new ValuesPerRow(0, 1000));
  }

  @Test
  void whatIsNotSaidIsUnknown() {
    assertThat(of(new Said(group(10, -1)))).isEqualTo(ValuesPerRow.UNKNOWN);
    assertThat(of(new Said(group(10, 50), group(10, -1)))).isEqualTo(new ValuesPerRow(0, 5));
    assertThat(of(new Said())).isEqualTo(ValuesPerRow.UNKNOWN);
  }

  @Test
  void absurdNumbersAreNoHint() {
    assertThat(of(new Said(group(1, -5)))).isEqualTo(ValuesPerRow.UNKNOWN);
    assertThat(of(new Said(group(1, Long.MAX_VALUE))))
        .isEqualTo(new ValuesPerRow(0, Integer.MAX_VALUE));
  }
}
