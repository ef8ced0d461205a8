package dev.penstock.internal.steps;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.workers.UserCode;
import dev.penstock.steps.StepDigest;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A file to which a line is appended for each step.
///
/// **Threads.** One appends at a time, [#close] from any: without a lock, as a pipe may be full for
/// long. Several processes may append to the same file of a local disk.
public final class StepLog implements AutoCloseable {
  /* Each line is one write in append mode, so lines of several ranks do not mix, and a process that
   * is killed leaves whole lines, all that it came to. It is not a channel's stream, which would be
   * closed when a consumer is interrupted. */
  private final Path path;
  private volatile @Nullable FileOutputStream out;

  private StepLog(Path path, FileOutputStream out) {
    this.path = path;
    this.out = out;
  }

  /// Opens the file, or makes it.
  ///
  /// @throws UncheckedIOException if it cannot be written
  public static StepLog open(Path path) {
    try {
      FileOutputStream out = new FileOutputStream(path.toFile(), true);
      endLine(path, out);
      return new StepLog(path, out);
    } catch (IOException e) {
      IOException failed = failed(path, e);
      throw new UncheckedIOException(failed.getMessage(), failed);
    }
  }

  /// Ends a line that was cut off, as by a full disk, so that the next one stays whole.
  private static void endLine(Path path, FileOutputStream file) throws IOException {
    if (!Files.isRegularFile(path)) { // a pipe, or a terminal
      return;
    }
    try (RandomAccessFile before = new RandomAccessFile(path.toFile(), "r")) {
      if (before.length() > 0) {
        before.seek(before.length() - 1);
        if (before.read() != '\n') {
          file.write('\n');
        }
      }
    }
  }

  void append(StepDigest step) throws IOException {
    FileOutputStream open = out;
    if (open == null) {
      throw new IOException("Cannot write the log of steps '" + path + "': the loader is closed.");
    }
    try {
      open.write((step.toJson() + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw failed(path, e);
    }
  }

  private static IOException failed(Path path, IOException e) {
    String why = String.valueOf(e.getMessage()).replace(path + " (", "(");
    String reason = why.startsWith("(") ? why.substring(1, why.length() - 1) : why;
    return new IOException(Sentence.of("Cannot write the log of steps '%s': %s.", path, reason), e);
  }

  @Override
  public void close() {
    FileOutputStream open = out;
    out = null;
    try {
      if (open != null) {
        open.close();
      }
    } catch (IOException e) { // all lines were written
      UserCode.warn(StepLog.class, "Cannot close the log of steps", e);
    }
  }
}
