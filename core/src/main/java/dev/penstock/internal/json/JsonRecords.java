package dev.penstock.internal.json;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.json.JsonText.MalformedJsonException;
import dev.penstock.internal.text.LineRecords;
import dev.penstock.internal.text.RecordScanner;
import dev.penstock.internal.text.Swar;
import dev.penstock.internal.text.TextBuffer;
import java.io.IOException;

/// The records of a piece of text, one after another, each completely in memory when it is read.
final class JsonRecords {
  private static final String LINE_ENDS = "there is the end of the text but";
  private static final Advice WHOLE =
      Advice.of(
          " Each line has to be an object. An array, or objects over several lines, are format"
              + " 'json': state it with %s.",
          Remedy.of("format", "json", "format()"));

  private final TextBuffer window;
  private final boolean lines;
  final JsonText text;
  private boolean opened;
  private long whole; // the address after the last record that is completely in memory

  JsonRecords(TextBuffer window, boolean lines) {
    this.window = window;
    this.lines = lines;
    this.text = new JsonText(lines);
  }

  /// Returns a scanner that finds the same records as this.
  static RecordScanner scanner(boolean lines) {
    return lines ? new LineRecords() : new ObjectRecords();
  }

  long position() {
    return window.position(text.at);
  }

  /// Moves to the first byte of the next record, if the text in memory has one.
  boolean nextInMemory() {
    while (text.at < whole) {
      byte b = Swar.load(text.at);
      if (lines ? b != '\n' && b != '\r' && b != ' ' && b != '\t' : b == '{') {
        return true;
      }
      text.at++;
    }
    return false;
  }

  /// Moves to the next record, and reads more text if needed; false at the end of the text.
  boolean next() throws IOException {
    while (!nextInMemory()) {
      if (opened && window.isLast()) {
        return false;
      }
      move();
    }
    return true;
  }

  /// Reads more text. The text before is dropped.
  void move() throws IOException {
    window.move(opened ? text.at : window.from());
    opened = true;
    text.at = window.from();
    window.end((byte) 0);
    whole = wholeTo();
  }

  /// Returns the address after the last record that is completely in memory.
  private long wholeTo() {
    if (!lines) {
      ObjectRecords scanner = new ObjectRecords();
      scanner.scan(text.at, window.to(), Long.MAX_VALUE);
      return Math.max(text.at, scanner.lastEnd());
    }
    if (window.isLast()) {
      return window.to();
    }
    for (long at = window.to(); at > text.at; at--) {
      byte b = Swar.load(at - 1);
      if (b == '\n' || b == '\r') {
        return at;
      }
    }
    return text.at;
  }

  /// Checks that nothing follows a record on its line.
  void end() throws MalformedJsonException {
    if (lines) {
      byte b = text.peek();
      boolean end = b == '\n' || b == '\r' || (b == 0 && text.at >= window.to());
      if (!end) {
        throw text.unexpected("the end of the line");
      }
    }
  }

  void skip(long count) throws IOException {
    RecordScanner skipped = scanner(lines);
    for (long left = count; left > 0; left -= skipped.records()) {
      if (!opened || text.at == window.to()) {
        if (opened && window.isLast()) {
          throw window.fail(text.at, "", "Corrupt JSON: rows that were planned are not there.");
        }
        text.at = window.to();
        move();
      }
      text.at = skipped.scan(text.at, window.to(), left);
    }
    whole = wholeTo();
  }

  /// Returns the error of a record that cannot be read, with what to do.
  MalformedFileException fail(MalformedJsonException e) throws IOException {
    String message = String.valueOf(e.getMessage());
    Advice sentence;
    if (message.startsWith(JsonTypes.TOO_MANY)) {
      sentence = Advice.of("Unsupported JSON: %s.", e.advice());
    } else if (!message.startsWith("cannot read")) {
      boolean mayBeWhole =
          lines && (message.startsWith("there is '[' ") || message.startsWith(LINE_ENDS));
      sentence = Advice.of("Corrupt JSON: %s.%s", e.advice(), mayBeWhole ? WHOLE : "");
    } else if (message.contains("' is not UTF-8 from its byte ")) {
      sentence =
          Advice.of(
              "C%s. State the encoding if it is another, for example %s; else mend the text.",
              message.substring(1), Remedy.formatOption("encoding", "latin-1"));
    } else {
      sentence =
          Advice.of(
              "C%s. Cast the column to another type with %s, or take a larger sample with %s.",
              message.substring(1), Remedy.CAST, Remedy.formatOption("sample-rows"));
    }
    return window.fail(e.address, "", sentence);
  }
}
