package dev.penstock.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/// Where a command's words go, and what to close when the user presses Ctrl-C.
final class Terminal {
  private final OutputStream out;
  private final PrintStream err;
  private final boolean live;
  private final int columns;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private volatile boolean interrupted;

  /// Makes the terminal.
  ///
  /// @param live whether a person watches standard error
  /// @param columns how many characters a line of standard error has room for
  Terminal(OutputStream out, PrintStream err, boolean live, int columns) {
    this.out = out;
    this.err = err;
    this.live = live;
    this.columns = columns;
  }

  /// Prints data to standard output, in UTF-8 on every machine.
  void print(String text) {
    try {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  /// Returns a large buffer in front of standard output; closing it flushes.
  OutputBuffer buffer() {
    return new OutputBuffer(out);
  }

  /// Returns a writer to standard output, for help texts.
  PrintWriter printWriter() {
    return new PrintWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), true);
  }

  /// Prints one line to standard error.
  void say(String line) {
    err.println(line);
    err.flush();
  }

  /// Returns as much of a text as can be written over: a line that wraps cannot. The last column is
  /// left free, because some terminals wrap when it is taken.
  String fit(String text) {
    return text.substring(0, Math.min(text.length(), columns - 1));
  }

  /// Prints to standard error as it is.
  void sayRaw(String text) {
    err.print(text);
    err.flush();
  }

  void trace(Throwable fault) {
    fault.printStackTrace(err);
    err.flush();
  }

  boolean isLive() {
    return live;
  }

  /// Remembers something to close on Ctrl-C, beside the caller's own `close()`.
  <R extends AutoCloseable> R closeOnInterrupt(R resource) {
    synchronized (open) {
      open.push(resource);
    }
    return resource;
  }

  boolean isInterrupted() {
    return interrupted;
  }

  /// Closes what is open, newest first.
  void interrupt() {
    interrupted = true;
    synchronized (open) {
      while (!open.isEmpty()) {
        try {
          open.pop().close();
        } catch (Exception e) {
          say("Cannot close cleanly: " + e.getMessage());
        }
      }
    }
  }
}
