package dev.penstock.cli.output;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Writes one JSON document per line, for programs. Call it with names and values in order; it adds
/// the commas.
public final class JsonWriter {
  private final OutputBuffer out;
  private boolean first = true;

  /// Begins a document.
  ///
  /// @param out takes the text
  public JsonWriter(OutputBuffer out) {
    this.out = out;
  }

  /// Begins an object.
  ///
  /// @return this writer
  public JsonWriter beginObject() {
    separate();
    out.write('{');
    first = true;
    return this;
  }

  /// Ends an object.
  ///
  /// @return this writer
  public JsonWriter endObject() {
    out.write('}');
    first = false;
    return this;
  }

  /// Begins an array.
  ///
  /// @return this writer
  public JsonWriter beginArray() {
    separate();
    out.write('[');
    first = true;
    return this;
  }

  /// Ends an array.
  ///
  /// @return this writer
  public JsonWriter endArray() {
    out.write(']');
    first = false;
    return this;
  }

  /// Writes the name of a field; its value comes next.
  ///
  /// @param name the name
  /// @return this writer
  public JsonWriter name(String name) {
    separate();
    out.string(name);
    out.write(':');
    first = true;
    return this;
  }

  /// Writes a field of text.
  ///
  /// @param name the name
  /// @param value the text; null for `null`
  /// @return this writer
  public JsonWriter field(String name, @Nullable String value) {
    name(name);
    if (value == null) {
      out.ascii("null");
    } else {
      out.string(value);
    }
    first = false;
    return this;
  }

  /// Writes a field with an integer.
  ///
  /// @param name the name
  /// @param value the integer
  /// @return this writer
  public JsonWriter field(String name, long value) {
    name(name);
    out.integer(value);
    first = false;
    return this;
  }

  /// Writes a field with a number.
  ///
  /// @param name the name
  /// @param value the number; written as `null` if not finite
  /// @return this writer
  public JsonWriter field(String name, double value) {
    name(name);
    out.ascii(Double.isFinite(value) ? Double.toString(value) : "null");
    first = false;
    return this;
  }

  /// Writes a field that is true or false.
  ///
  /// @param name the name
  /// @param value the value
  /// @return this writer
  public JsonWriter field(String name, boolean value) {
    name(name);
    out.ascii(value ? "true" : "false");
    first = false;
    return this;
  }

  /// Writes an element of an array.
  ///
  /// @param value the element
  /// @return this writer
  public JsonWriter value(long value) {
    separate();
    out.integer(value);
    return this;
  }

  /// Writes an element of an array.
  ///
  /// @param text the element
  /// @return this writer
  public JsonWriter value(String text) {
    separate();
    out.string(text);
    return this;
  }

  /// Ends the line, and with it the document.
  public void endLine() {
    out.write("\n".getBytes(StandardCharsets.US_ASCII));
    out.flush();
    first = true;
  }

  private void separate() {
    if (!first) {
      out.write(',');
    }
    first = false;
  }
}
