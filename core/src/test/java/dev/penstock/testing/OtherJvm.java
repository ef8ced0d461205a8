package dev.penstock.testing;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Reads files in a JVM that is started with other flags.
public final class OtherJvm {
  private static final String MARK = "read: ";

  private OtherJvm() {}

  /// Reads files one after the other in one JVM.
  ///
  /// @param flags those of the JVM
  /// @return for each file the number of its rows, or the message of its error
  public static List<String> read(List<String> flags, Path... files)
      throws IOException, InterruptedException {
    return read(flags, System.getProperty("java.class.path"), files);
  }

  /// Reads files as [#read(List, Path...)], with a jar in front of all others.
  public static List<String> readBehind(Path jar, Path... files)
      throws IOException, InterruptedException {
    String behind = File.pathSeparator + System.getProperty("java.class.path");
    return read(List.of("--enable-native-access=ALL-UNNAMED"), jar + behind, files);
  }

  private static List<String> read(List<String> flags, String classPath, Path... files)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath));
    command.add(OtherJvm.class.getName());
    Stream.of(files).map(Path::toString).forEach(command::add);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return printed
        .lines()
        .filter(line -> line.startsWith(MARK))
        .map(line -> line.substring(MARK.length()))
        .toList();
  }

  /// Returns flags for a JVM whose folder for temporary files cannot be made.
  ///
  /// @param file a file that exists
  public static List<String> withoutTemporaryFiles(Path file) {
    return List.of(
        "--enable-native-access=ALL-UNNAMED", "-Djava.io.tmpdir=" + file.resolve("no-folder"));
  }

  @SuppressWarnings("SystemOut")
  public static void main(String[] files) {
    for (String file : files) {
      System.out.println(MARK + read(file));
    }
  }

  private static String read(String file) {
    long rows = 0;
    try (DataLoader loader =
        DataLoader.of(
            new StructuredDataset(file), o -> o.batchSize(100).output(OutputFormat.MAP))) {
      for (Batch batch : loader) {
        rows += batch.rowCount();
        batch.close();
      }
    } catch (RuntimeException e) {
      return String.valueOf(e.getMessage());
    }
    return rows + " rows";
  }
}
