package dev.penstock.examples;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.cli.demo.SampleFlights;
import dev.penstock.options.LoaderOptions;
import dev.penstock.report.PlanPart;
import dev.penstock.report.Report;
import dev.penstock.report.Run;
import dev.penstock.split.Plan;
import dev.penstock.split.Rank;
import dev.penstock.stats.EpochRecord;
import dev.penstock.transform.ColumnBlock;
import dev.penstock.transform.Transform;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/// Six reasons why a training waits, each with its remedy, as reports.
///
/// `examples/run waiting [FOLDER]`: writes a page for each case, by default to
/// `examples/target/waiting`. Each page compares the run that waits with one that has the remedy.
final class WaitingCases {
  private static final long CONSUMER_NANOS = 2_000_000;
  private static final int STORE_MILLIS = 40;
  private static final int BATCH_ROWS = 1_024;

  /// Two workers are as fast as one for some seconds: the compiler has the other processor.
  private static final int EPOCHS = 20;

  private final Path folder;
  private final int epochs;

  /// Makes the cases.
  ///
  /// @param folder where the pages are written
  /// @param epochs how many are run; the last one is shown
  WaitingCases(Path folder, int epochs) {
    this.folder = folder;
    this.epochs = epochs;
  }

  /// A case: why a training waits.
  ///
  /// @param name its name, as in the page's file
  /// @param waits the run that waits
  /// @param remedy what was changed
  /// @param better the run with the remedy
  record Case(String name, EpochRecord waits, String remedy, EpochRecord better) {}

  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args.length > 0 ? args[0] : "examples/target/waiting");
    Files.createDirectories(folder);
    for (Case each : new WaitingCases(folder, EPOCHS).run()) {
      System.out.println(
          "%-15s %s%n%15s With %s: %.0f ms instead of %.0f ms."
              .formatted(
                  each.name(),
                  each.waits().stats().bottleneck(),
                  "",
                  each.remedy(),
                  each.better().stats().times().nanos() / 1e6,
                  each.waits().stats().times().nanos() / 1e6));
    }
    System.out.println("Pages: " + folder);
  }

  List<Case> run() throws IOException {
    Path data = Files.createTempDirectory("penstock-waiting");
    try (SampleFlights flights = SampleFlights.extract()) {
      List<Case> cases = new ArrayList<>();
      cases.add(slowStore(flights.trainingFolder(), data));
      cases.add(tooFewWorkers(data));
      cases.add(giantFile(data));
      cases.add(tinyFiles(data));
      cases.add(slowTransform(flights.trainingFolder()));
      cases.add(slowConsumer(flights.trainingFolder()));
      return cases;
    } finally {
      delete(data);
    }
  }

  private Case slowStore(Path flights, Path data) throws IOException {
    try (SlowStore store = SlowStore.start(flights, STORE_MILLIS)) {
      StructuredDataset remote = new StructuredDataset(store.files());
      StructuredDataset cached = remote.cache(data.resolve("cache").toString(), "1GiB");
      load(cached, options(2), WaitingCases::nothing); // fills the cache
      return compared(
          "slow-store",
          "A slow store",
          "a cache",
          new Setting(remote, options(2), WaitingCases::nothing),
          new Setting(cached, options(2), WaitingCases::nothing));
    }
  }

  private Case tooFewWorkers(Path data) throws IOException {
    StructuredDataset files =
        new StructuredDataset(writeTexts(data.resolve("texts"), 8, ".csv", 60_000));
    return compared(
        "too-few-workers",
        "Too few workers",
        "two workers",
        new Setting(files, options(1), WaitingCases::nothing),
        new Setting(files, options(2), WaitingCases::nothing));
  }

  private Case giantFile(Path data) throws IOException {
    String one = writeTexts(data.resolve("one"), 1, ".csv.gz", 400_000);
    String eight = writeTexts(data.resolve("eight"), 8, ".csv.gz", 50_000);
    return compared(
        "giant-file",
        "One giant file",
        "eight files",
        new Setting(column(one), options(4), WaitingCases::nothing),
        new Setting(column(eight), options(4), WaitingCases::nothing));
  }

  /// Returns a single column, which workers cannot share.
  private static StructuredDataset column(String folder) {
    return new StructuredDataset(folder).columns("share");
  }

  private Case tinyFiles(Path data) throws IOException {
    String tiny = writeTexts(data.resolve("tiny"), 2_000, ".csv", 10);
    String large = writeTexts(data.resolve("large"), 1, ".csv", 20_000);
    return compared(
        "tiny-files",
        "Many tiny files",
        "one file",
        new Setting(new StructuredDataset(tiny), options(2), WaitingCases::nothing),
        new Setting(new StructuredDataset(large), options(2), WaitingCases::nothing));
  }

  private Case slowTransform(Path flights) throws IOException {
    StructuredDataset files =
        new StructuredDataset(flights.toString()).columns("delay", "distance");
    Transform slow = (block, _) -> bent(block, false);
    Transform quick = (block, _) -> bent(block, true);
    return compared(
        "slow-transform",
        "A slow transform",
        "a table",
        new Setting(files, options(2).transform(slow), WaitingCases::nothing),
        new Setting(files, options(2).transform(quick), WaitingCases::nothing));
  }

  private Case slowConsumer(Path flights) throws IOException {
    StructuredDataset files = new StructuredDataset(flights.toString());
    return compared(
        "slow-consumer",
        "A slow consumer",
        "one worker",
        new Setting(files, options(2), WaitingCases::step),
        new Setting(files, options(1), WaitingCases::step));
  }

  private static LoaderOptions options(int workers) {
    return LoaderOptions.defaults()
        .batchSize(BATCH_ROWS)
        .workers(workers)
        .rank(Rank.SINGLE)
        .record(true);
  }

  /// What is loaded, how, and what is done with a batch.
  private record Setting(
      StructuredDataset dataset, LoaderOptions options, Consumer<Batch> consumer) {}

  private Case compared(String name, String title, String remedy, Setting waiting, Setting better)
      throws IOException {
    EpochRecord before = load(waiting);
    EpochRecord after = load(better);
    Report.of(Report.Kind.LOAD, title)
        .options(Report.options(waiting.options()))
        .plan(PlanPart.of(waiting.dataset(), waiting.options(), plan(waiting)))
        .runs(List.of(Run.of("the run as it was", before), Run.of("the run with " + remedy, after)))
        .write(folder.resolve(name + ".html"));
    return new Case(name, before, remedy, after);
  }

  private Plan plan(Setting setting) {
    return setting.dataset().plan(setting.options(), epochs - 1);
  }

  private EpochRecord load(Setting setting) {
    return load(setting.dataset(), setting.options(), setting.consumer());
  }

  /// Returns the last epoch: the first ones run code that is not compiled yet.
  private EpochRecord load(
      StructuredDataset dataset, LoaderOptions options, Consumer<Batch> consumer) {
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      for (int epoch = 0; epoch < epochs; epoch++) {
        for (Batch batch : loader) {
          try (batch) {
            consumer.accept(batch);
          }
        }
      }
      return loader.history().getLast();
    }
  }

  private static void nothing(Batch batch) {}

  /// A training step of some milliseconds.
  private static void step(Batch batch) {
    long end = System.nanoTime() + CONSUMER_NANOS;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  /// Bends distances by a formula, or by a table of its results.
  private static ColumnBlock bent(ColumnBlock block, boolean byTable) {
    float[] miles = block.floats("distance");
    float[] bent = new float[block.rowCount()];
    float[] table = byTable ? Bends.TABLE : new float[0];
    for (int row = 0; row < bent.length; row++) {
      int mile = Math.clamp((int) miles[row], 0, Bends.MILES - 1);
      bent[row] = byTable ? table[mile] : Bends.of(mile);
    }
    return block.with("bent", bent);
  }

  /// A formula that takes long.
  private static final class Bends {
    private static final int MILES = 8_192;
    private static final float[] TABLE = new float[MILES];

    static {
      for (int mile = 0; mile < MILES; mile++) {
        TABLE[mile] = of(mile);
      }
    }

    static float of(int mile) {
      double sum = 0;
      for (int wave = 1; wave <= 200; wave++) {
        sum += Math.sin(mile * 0.001 * wave) / wave;
      }
      return (float) sum;
    }
  }

  /// Writes text files into a new folder, and returns the folder.
  private static String writeTexts(Path folder, int files, String ending, int rows)
      throws IOException {
    Files.createDirectory(folder);
    for (int file = 0; file < files; file++) {
      writeText(folder.resolve("part-%04d%s".formatted(file, ending)), rows);
    }
    return folder.toString();
  }

  private static void writeText(Path file, int rows) throws IOException {
    try (Writer out =
            file.toString().endsWith(".gz")
                ? new OutputStreamWriter(
                    new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8)
                : Files.newBufferedWriter(file);
        BufferedWriter lines = new BufferedWriter(out)) {
      lines.write("id,delay,distance,price,share\n");
      for (int row = 0; row < rows; row++) {
        lines.write(
            row + "," + row % 97 + "," + row % 2_389 + "," + row * 0.37 + "," + 1.0 / (row + 1));
        lines.write('\n');
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
