package dev.penstock.blackbox.cases;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.contract.Delivery;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Another process that reads through a cache.
///
/// It prints `ready`, waits for a line, reads the files one after the other as often as it was told
/// to, and prints a line for each. What it logs is between these lines.
final class CacheChild implements AutoCloseable {
  private final Process process;
  private final BufferedReader printed;
  private final PrintStream told;

  private CacheChild(Process process) {
    this.process = process;
    this.printed =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.told = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
  }

  /// Starts it.
  ///
  /// @param shell commands of bash that change the limits of the process; empty without bash
  static CacheChild start(String shell, Path cache, String size, int times, Path... files)
      throws IOException {
    List<String> java = new ArrayList<>();
    java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    java.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:+UseSerialGC", "-Xmx256m"));
    // It would be a file that is mapped.
    java.addAll(List.of("-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED"));
    java.addAll(List.of("-cp", System.getProperty("java.class.path"), CacheChild.class.getName()));
    java.addAll(List.of(cache.toString(), size, Integer.toString(times)));
    for (Path file : files) {
      java.add(file.toString());
    }
    List<String> command = new ArrayList<>();
    if (!shell.isEmpty()) {
      command.addAll(List.of("bash", "-c", shell + "; exec \"$@\"", "bash"));
    }
    command.addAll(java);
    return new CacheChild(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  /// What is printed for a file.
  static String line(List<List<Object>> rows) {
    return rows.size() + " rows, " + rows.hashCode();
  }

  /// Returns a dataset over a file, with a cache.
  static StructuredDataset dataset(Path file, Path cache, String size) {
    return new StructuredDataset(file.toString())
        .formatOption("row-group-rows", "200")
        .cache(cache.toString(), size);
  }

  /// Reads all rows of a file, as [#line].
  static String read(Path file, Path cache, String size) {
    try (DataLoader loader =
        DataLoader.of(
            dataset(file, cache, size),
            o -> o.workers(2).batchSize(500).output(OutputFormat.MAP))) {
      return line(Delivery.ofEpoch(loader).rows());
    }
  }

  /// Waits for the next line.
  ///
  /// @return null if there is none
  String next() {
    try {
      return printed.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns whether [#next] has something to read, so that it waits at most for the end of a line.
  boolean hasPrinted() {
    try {
      return printed.ready();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /// Lets it begin.
  void begin() {
    told.println();
  }

  /// Waits for its end.
  ///
  /// @return its exit status
  int end() throws InterruptedException {
    return process.waitFor();
  }

  /// Kills it.
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) throws IOException {
    System.out.println("ready");
    if (System.in.read() < 0) {
      return;
    }
    for (int time = 0; time < Integer.parseInt(arguments[2]); time++) {
      for (int i = 3; i < arguments.length; i++) {
        System.out.println(read(Path.of(arguments[i]), Path.of(arguments[0]), arguments[1]));
      }
    }
  }
}
