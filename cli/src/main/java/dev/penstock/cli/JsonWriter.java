package dev.penstock.cli;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Writes one JSON document a line, for programs. Names and values come in order; the commas are
/// its own.
final class JsonWriter {
  private final OutputBuffer out;
  private boolean first = true;

  JsonWriter(OutputBuffer out) {
    this.out = out;
  }

  JsonWriter beginObject() {
    separate();
    out.write('{');
    first = true;
    return this;
  }

  JsonWriter endObject() {
    out.write('}');
    first = false;
    return this;
  }

  JsonWriter beginArray() {
    separate();
    out.write('[');
    first = true;
    return this;
  }

  JsonWriter endArray() {
    out.write(']');
    first = false;
    return this;
  }

  JsonWriter name(String name) {
    separate();
    out.string(name);
    out.write(':');
    first = true;
    return this;
  }

  JsonWriter field(String name, @Nullable String value) {
    name(name);
    if (value == null) {
      out.ascii("null");
    } else {
      out.string(value);
    }
    first = false;
    return this;
  }

  JsonWriter field(String name, long value) {
    name(name);
    out.integer(value);
    first = false;
    return this;
  }

  JsonWriter field(String name, double value) {
    name(name);
    out.ascii(Double.isFinite(value) ? Double.toString(value) : "null");
    first = false;
    return this;
  }

  JsonWriter field(String name, boolean value) {
    name(name);
    out.ascii(value ? "true" : "false");
    first = false;
    return this;
  }

  /// Writes an element of an array.
  JsonWriter value(long value) {
    separate();
    out.integer(value);
    return this;
  }

  /// Ends the line, and with it the document.
  void endLine() {
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
