package dev.penstock.delta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ColumnStatistics;
import io.delta.kernel.internal.util.ColumnMapping.ColumnMappingMode;
import io.delta.kernel.types.StructType;
import io.delta.kernel.types.TimestampNTZType;
import java.util.List;
import org.junit.jupiter.api.Test;

class FileStatisticsTest {
  private static final DataType TIME = new DataType.Timestamp(DataType.TimeUnit.MICROS, false);
  private static final Schema SCHEMA = Schema.of(List.of(new Field("t", TIME, true)));

  private static ColumnStatistics of(String stated) {
    StructType type = new StructType().add("t", TimestampNTZType.TIMESTAMP_NTZ);
    List<DeltaColumn> columns = DeltaColumn.of(type, ColumnMappingMode.NONE);
    return FileStatistics.of(columns, SCHEMA, stated).of("t");
  }

  @Test
  void timestampsMayBeUpToAMillisecondLaterThanStated() {
    ColumnStatistics found =
        of(
            """
            {"numRecords": 2, "nullCount": {"t": 0},
             "minValues": {"t": "1970-01-01T00:00:01.000"},
             "maxValues": {"t": "1970-01-01T00:00:02.000"}}
            """);
    assertThat(found.lower()).isEqualTo(new Bound(1_000_000L, false));
    assertThat(found.upper()).isEqualTo(new Bound(2_001_000L, false));
  }

  @Test
  void moreNullsThanRowsAreNotBelieved() {
    assertThat(of("{\"numRecords\": 2, \"nullCount\": {\"t\": 3}}"))
        .isEqualTo(ColumnStatistics.UNKNOWN);
  }
}
