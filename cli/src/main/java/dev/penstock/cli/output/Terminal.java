package dev.penstock.cli.output;

import dev.penstock.storage.Printable;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.function.Consumer;
import org.jline.terminal.spi.SystemStream;
import org.jline.terminal.spi.TerminalProvider;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/// A command's output streams, and the resources to close when the user presses Ctrl-C.
public final class Terminal {
  /// The width of a terminal of unknown width, and of help texts without a terminal.
  static final int COLUMNS = 80;

  private static final int NO_TERMINAL = 0;

  /// How many columns a terminal's `^C` takes.
  private static final int INTERRUPT = 2;

  private final OutputStream out;
  private final PrintStream err;
  private final int outColumns;
  private final int errColumns;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private int live; // how wide the line is that the next one replaces
  private volatile boolean interrupted;
  private volatile boolean ended;

  /// Makes a terminal of two streams and their widths in characters; 0 if one is not a terminal.
  public Terminal(OutputStream out, PrintStream err, int outColumns, int errColumns) {
    this.out = out;
    this.err = err;
    this.outColumns = outColumns;
    this.errColumns = errColumns;
  }

  /// Returns the terminal of this process. The launch script passes its width; without the script
  /// JLine asks the system, which takes a while.
  public static Terminal ofProcess() {
    return new Terminal(
        new FileOutputStream(FileDescriptor.out),
        System.err,
        columns("penstock.columns.out", SystemStream.Output),
        columns("penstock.columns.err", SystemStream.Error));
  }

  private static int columns(String property, SystemStream stream) {
    if (System.getProperty(property) != null) {
      return Math.max(NO_TERMINAL, Integer.getInteger(property, NO_TERMINAL));
    }
    try {
      TerminalProvider system = TerminalProvider.load("ffm");
      if (!system.isSystemStream(stream)) {
        return NO_TERMINAL;
      }
      int columns = system.systemStreamWidth(stream);
      return columns > 0 ? columns : COLUMNS;
    } catch (IOException | RuntimeException | LinkageError _) {
      return NO_TERMINAL; // a system that JLine does not support or cannot access
    }
  }

  /// Prints data to standard output, in UTF-8 on every machine. On a terminal, lines that are too
  /// wide break between words.
  ///
  /// @throws OutputException if standard output accepts no more bytes
  public void print(String text) {
    try {
      String fitted = outColumns == NO_TERMINAL ? text : TextWidth.folded(text, outColumns);
      out.write(fitted.getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  /// Returns an indented line without the start of what it names, if it is wider than standard
  /// output.
  public String shortened(String line) {
    String name = line.stripLeading();
    int indent = line.length() - name.length();
    return " ".repeat(indent) + TextWidth.end(name, outColumns() - indent);
  }

  /// Prints a line of JSON to standard output, for programs: an object or an array.
  public void printJson(Consumer<JsonGenerator> document) {
    JsonFactory factory = // not a constant, which each start of the command would load
        JsonFactory.builder()
            .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT, StreamWriteFeature.AUTO_CLOSE_TARGET)
            .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE) // as OutputBuffer
            .build();
    try (JsonGenerator json = factory.createGenerator(ObjectWriteContext.empty(), out)) {
      document.accept(json);
      json.writeRaw('\n');
    } catch (JacksonIOException e) {
      throw new OutputException(Objects.requireNonNull(e.getCause()));
    }
  }

  /// Returns standard output as bytes, for data that is not folded.
  public OutputStream out() {
    return out;
  }

  /// Returns a writer to standard output, for help texts, which flushes after each line.
  public PrintWriter printWriter() {
    return new PrintWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), true);
  }

  /// Returns the width of standard output in characters: unlimited if it is not a terminal.
  public int outColumns() {
    return outColumns == NO_TERMINAL ? Integer.MAX_VALUE : outColumns;
  }

  /// Returns how wide help is, in characters.
  public int helpColumns() {
    return outColumns == NO_TERMINAL ? COLUMNS : outColumns;
  }

  /// Returns how many characters of standard error can be overwritten: a line that wraps cannot.
  /// Two columns stay free for the terminal's `^C`, and the last, because some wrap when it is
  /// used.
  int liveColumns() {
    return errColumns - INTERRUPT - 1;
  }

  /// Returns whether a person watches standard error.
  boolean isLive() {
    return errColumns != NO_TERMINAL;
  }

  /// Prints one line to standard error, folded if that is a terminal. What would end it or move the
  /// cursor is escaped.
  public void say(String line) {
    String printable = Printable.of(line);
    synchronized (err) {
      live("");
      err.println(isLive() ? TextWidth.folded(printable, errColumns) : printable);
      err.flush();
    }
  }

  /// Shows a line on standard error that the next one replaces, or none. After Ctrl-C, shows
  /// nothing that would leave the prompt in mid-line.
  void live(String line) {
    synchronized (err) {
      if (!interrupted && (live > 0 || !line.isEmpty())) {
        String printable = Printable.of(line);
        String over = " ".repeat(Math.max(0, live - printable.length()));
        err.print("\r" + printable + over + (printable.isEmpty() ? "\r" : ""));
        err.flush();
        live = printable.length();
      }
    }
  }

  /// Prints a stack trace to standard error.
  public void trace(Throwable fault) {
    StringWriter trace = new StringWriter();
    fault.printStackTrace(new PrintWriter(trace));
    trace.toString().lines().forEach(line -> err.println(LogStream.shown(line)));
    err.flush();
  }

  /// Registers a resource to close on Ctrl-C, in addition to the caller's own `close()`.
  public <R extends AutoCloseable> R closeOnInterrupt(R resource) {
    synchronized (open) {
      open.push(resource);
    }
    return resource;
  }

  /// Returns whether the user has pressed Ctrl-C.
  public boolean isInterrupted() {
    return interrupted;
  }

  /// Marks the command as ended, so that Ctrl-C no longer interrupts it.
  public void end() {
    ended = true;
  }

  /// Removes the line that the next one would have replaced, with the `^C` behind it, or else ends
  /// the terminal's current line; then closes open resources, newest first.
  public void interrupt() {
    synchronized (err) {
      interrupted = true;
      if (isLive() && !ended) {
        err.print(live > 0 ? "\r" + " ".repeat(live + INTERRUPT) + "\r" : System.lineSeparator());
        err.flush();
      }
    }
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
