package dev.penstock.internal.parquet.footer;

import dev.penstock.schema.DataType.TimeUnit;
import java.util.List;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MicroSeconds;
import org.apache.parquet.format.NanoSeconds;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.TimestampType;
import org.apache.parquet.format.Type;

/// How timestamps of INT96 are read, of which a file says nothing: in microseconds or nanoseconds,
/// in UTC or without a zone.
public record Int96Form(TimeUnit unit, boolean utc) {
  /// Nanoseconds, without a zone.
  public static final Int96Form DEFAULT = new Int96Form(TimeUnit.NANOS, false);

  /// Adds the annotation to columns of INT96, unless it is the default.
  void annotate(List<SchemaElement> elements) {
    if (equals(DEFAULT)) {
      return;
    }
    for (SchemaElement element : elements) {
      if (element.getType() == Type.INT96) {
        org.apache.parquet.format.TimeUnit stated = new org.apache.parquet.format.TimeUnit();
        if (unit == TimeUnit.MICROS) {
          stated.setMICROS(new MicroSeconds());
        } else {
          stated.setNANOS(new NanoSeconds());
        }
        element.setLogicalType(LogicalType.TIMESTAMP(new TimestampType(utc, stated)));
      }
    }
  }
}
