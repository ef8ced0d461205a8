package dev.penstock.blackbox.files;

import dev.penstock.StructuredDataset;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Table;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Files of JSON in all the ways in which they are written: as lines or as an array, with fields in
/// any order and nulls left out, with escapes and blanks where they need not be.
///
/// @param lines whether each record is a line
public record JsonRows(boolean lines) implements TableWriter {
  @Override
  public boolean saysEnd() {
    return false;
  }

  @Override
  public String extension() {
    return lines ? ".jsonl" : ".json";
  }

  @Override
  public List<DataType> types() {
    return new CsvFiles().types();
  }

  @Override
  public boolean hasMaps() {
    return false;
  }

  @Override
  public boolean holds(DataType type) {
    return new CsvFiles().holds(type);
  }

  @Override
  public boolean saysTypes() {
    return false;
  }

  @Override
  public StructuredDataset open(String location, Table table) {
    return new StructuredDataset(location)
        .schemaFrom(table.schema())
        .formatOption("row-group-rows", Integer.toString(Tables.rowGroupRows(table)));
  }

  @Override
  public void write(Path path, Schema schema, List<List<List<Object>>> groups, Random layout)
      throws IOException {
    boolean array = !lines && layout.nextBoolean();
    StringBuilder text = new StringBuilder(array ? "[" : "");
    boolean first = true;
    for (List<List<Object>> group : groups) {
      for (List<Object> row : group) {
        text.append(first ? "" : lines ? "\n" : array ? "," : " ");
        first = false;
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int c = 0; c < row.size(); c++) {
          fields.put(schema.names().get(c), row.get(c));
        }
        object(fields, text, layout);
      }
    }
    text.append(array ? "]" : "").append(layout.nextBoolean() ? "\n" : "");
    byte[] bytes =
        layout.nextInt(5) == 0
            ? ("\ufeff" + text).getBytes(StandardCharsets.UTF_16LE)
            : text.toString().getBytes(StandardCharsets.UTF_8);
    Files.write(path, bytes);
  }

  private void object(Map<String, Object> fields, StringBuilder text, Random layout) {
    List<String> names = new ArrayList<>(fields.keySet());
    if (layout.nextInt(8) == 0) {
      Collections.shuffle(names, layout);
    }
    text.append('{');
    boolean first = true;
    for (String name : names) {
      Object value = fields.get(name);
      if (value == null && layout.nextBoolean()) {
        continue;
      }
      text.append(first ? "" : ",");
      first = false;
      blank(text, layout);
      string(name, text, layout);
      text.append(':');
      blank(text, layout);
      value(value, text, layout);
    }
    text.append('}');
  }

  private void blank(StringBuilder text, Random layout) {
    if (layout.nextInt(6) == 0) {
      text.append(lines || layout.nextBoolean() ? " \t" : "\r\n ");
    }
  }

  private void value(Object value, StringBuilder text, Random layout) {
    switch (value) {
      case null -> text.append("null");
      case Boolean bool -> text.append(bool);
      case BigDecimal number when layout.nextBoolean() -> text.append(number.toPlainString());
      case BigDecimal number -> string(number.toPlainString(), text, layout);
      case Double number when !Double.isFinite(number) ->
          text.append('"').append(number).append('"');
      case Float number when !Float.isFinite(number) -> text.append('"').append(number).append('"');
      case Number number -> text.append(number);
      case List<?> list -> {
        text.append('[');
        for (int i = 0; i < list.size(); i++) {
          text.append(i == 0 ? "" : ",");
          blank(text, layout);
          value(list.get(i), text, layout);
        }
        text.append(']');
      }
      case Map<?, ?> map -> {
        Map<String, Object> fields = new LinkedHashMap<>();
        map.forEach((name, field) -> fields.put((String) name, field));
        object(fields, text, layout);
      }
      default -> string(value.toString(), text, layout);
    }
  }

  private static void string(String value, StringBuilder text, Random layout) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ' || (layout.nextInt(20) == 0 && !Character.isSurrogate(c))) {
        text.append(String.format("\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
