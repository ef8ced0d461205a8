package dev.penstock.cli.output;

import dev.penstock.storage.Printable;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/// Standard error for what libraries log: each text is one line, with nothing in it that a terminal
/// would obey.
public final class LogStream extends PrintStream {
  public LogStream(PrintStream err) {
    super(err, true, err.charset());
  }

  @Override
  public void println(@Nullable String line) {
    super.println(shown(line));
  }

  @Override
  public void println(@Nullable Object line) { // of a stack trace
    super.println((Object) shown(line));
  }

  /// Returns a line as it is shown; those of stack traces begin with a tab.
  static String shown(@Nullable Object line) {
    return Printable.of(String.valueOf(line).replace("\t", "    "));
  }
}
