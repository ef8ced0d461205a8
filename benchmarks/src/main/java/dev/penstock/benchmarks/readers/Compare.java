package dev.penstock.benchmarks.readers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/// Reads one file with several libraries in one JVM, in turns, and prints a table.
///
/// The first scan of each reader is checked against what was generated; then all readers take
/// turns, first some rounds to warm up, then those that count. A file is opened anew in every scan
/// and should be in the page cache. Pin the whole JVM to one core to compare readers instead of
/// thread pools.
public final class Compare {
  private Compare() {}

  /// Runs a comparison.
  ///
  /// @param args `TABLE FILE WARM_UPS ROUNDS CLASS_PATH...`: the [Table] to read of a file beside
  ///   which its sums are, and the class path of each library; the first is what others are
  ///   compared with. With `-Donly=REGEX` only readers in whose names it is found
  /// @throws Exception if the file or a library is not there
  public static void main(String[] args) throws Exception {
    Table table = Table.named(args[0]);
    Path file = Path.of(args[1]).toAbsolutePath();
    int warmUps = Integer.parseInt(args[2]);
    int rounds = Integer.parseInt(args[3]);
    Map<String, Long> expected = ColumnSums.read(Path.of(file + ".sums"));
    Reader.Scan scan = new Reader.Scan(file, table, expected.getOrDefault("rows", -1L));

    List<Contender> contenders = new ArrayList<>();
    Pattern only = Pattern.compile(System.getProperty("only", ""));
    for (String classPath : Arrays.asList(args).subList(4, args.length)) {
      for (Reader reader : Peers.load(classPath)) {
        if (only.matcher(reader.name()).find()) {
          contenders.add(new Contender(reader));
        }
      }
    }
    for (Contender contender : contenders) {
      contender.check(scan, expected);
    }
    for (int round = -warmUps; round < rounds; round++) {
      for (Contender contender : contenders) {
        contender.run(scan, round >= 0);
      }
    }
    print(scan, rounds, warmUps, contenders);
    boolean trusted = contenders.stream().noneMatch(Contender::isWrong);
    System.out.flush();
    // Some libraries leave threads behind.
    Runtime.getRuntime().halt(trusted ? 0 : 1);
  }

  private static void print(Reader.Scan scan, int rounds, int warmUps, List<Contender> contenders)
      throws IOException {
    double outBytes = (double) scan.rows() * scan.table().rowBytes();
    line(
        "%n### %s of %s%n%n%,d rows, %.1f MB in the buffers, %.1f MB in the file; medians of %d"
            + " rounds after %d to warm up.%n",
        scan.table().key(),
        scan.file().getFileName(),
        scan.rows(),
        outBytes / 1e6,
        Files.size(scan.file()) / 1e6,
        rounds,
        warmUps);
    Contender base = contenders.getFirst();
    line("| reader | wall ms | min ms | cpu ms | M rows/s | GB/s | x %s | by cpu |", base);
    line("|---|---:|---:|---:|---:|---:|---:|---:|");
    for (Contender contender : contenders) {
      double wall = contender.wallMillis();
      if (!contender.problem().isEmpty()) {
        line("| %s | %s | | | | | | |", contender, contender.problem());
      } else {
        line(
            "| %s | %.1f | %.1f | %.1f | %.2f | %.2f | %.2f | %.2f |",
            contender,
            wall,
            contender.leastMillis(),
            contender.cpuMillis(),
            scan.rows() / wall / 1e3,
            outBytes / wall / 1e6,
            base.wallMillis() / wall,
            base.cpuMillis() / contender.cpuMillis());
      }
    }
  }

  private static void line(String format, Object... values) {
    System.out.printf(Locale.ROOT, format + "%n", values);
  }
}
