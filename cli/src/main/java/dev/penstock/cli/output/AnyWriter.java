package dev.penstock.cli.output;

import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;

/// Writes the Java objects of variants as JSON, by their classes; numbers of all kinds as numbers.
final class AnyWriter implements ObjectWriter {
  private static final ObjectWriter FLOAT = ObjectWriter.of(DataType.float32());
  private static final ObjectWriter DOUBLE = ObjectWriter.of(DataType.float64());
  private static final ObjectWriter BINARY = ObjectWriter.of(new DataType.Binary());

  private final ObjectWriter date = ObjectWriter.of(DataType.date());
  private final ObjectWriter instant =
      ObjectWriter.of(new DataType.Timestamp(TimeUnit.NANOS, true));
  private final ObjectWriter local = ObjectWriter.of(new DataType.Timestamp(TimeUnit.NANOS, false));

  @Override
  public void writePresent(Object value, OutputBuffer out) {
    switch (value) {
      case Boolean bit -> out.bool(bit);
      case Long number -> out.integer(number);
      case Float number -> FLOAT.write(number, out);
      case Double number -> DOUBLE.write(number, out);
      case BigDecimal number -> out.ascii(number.toPlainString());
      case byte[] bytes -> BINARY.write(bytes, out);
      case LocalDate each -> date.write(each, out);
      case Instant each -> instant.write(each, out);
      case LocalDateTime each -> local.write(each, out);
      case Map<?, ?> map -> {
        char before = '{';
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          out.write(before);
          out.string((String) entry.getKey());
          out.write(':');
          write(entry.getValue(), out);
          before = ',';
        }
        out.ascii(map.isEmpty() ? "{}" : "}");
      }
      case List<?> list -> {
        char before = '[';
        for (Object each : list) {
          out.write(before);
          write(each, out);
          before = ',';
        }
        out.ascii(list.isEmpty() ? "[]" : "]");
      }
      default -> out.string(value.toString());
    }
  }
}
