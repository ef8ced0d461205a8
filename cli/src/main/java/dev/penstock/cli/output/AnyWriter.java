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
  private final ObjectWriter date = ObjectWriter.of(DataType.date());
  private final ObjectWriter instant =
      ObjectWriter.of(new DataType.Timestamp(TimeUnit.NANOS, true));
  private final ObjectWriter local = ObjectWriter.of(new DataType.Timestamp(TimeUnit.NANOS, false));
  private final ObjectWriter lists = ObjectWriter.list(this);

  @Override
  public void writePresent(Object value, OutputBuffer out) {
    switch (value) {
      case Boolean bit -> out.bool(bit);
      case Long number -> out.integer(number);
      case Float number -> out.number(number);
      case Double number -> out.number(number);
      case BigDecimal number -> out.ascii(number.toPlainString());
      case byte[] bytes -> out.base64(bytes);
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
      case List<?> list -> lists.write(list, out);
      default -> out.string(value.toString());
    }
  }
}
