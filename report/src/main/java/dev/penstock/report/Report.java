package dev.penstock.report;

import dev.penstock.CollatedLoader;
import dev.penstock.DataLoader;
import dev.penstock.Loader;
import dev.penstock.Mixture.Source;
import dev.penstock.StructuredDataset;
import dev.penstock.internal.request.Described;
import dev.penstock.options.LoaderOptions;
import dev.penstock.report.page.ReportPage;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.Plan;
import dev.penstock.stats.EpochRecord;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/// What a loader did or would do, to be written as one HTML file: [#of(Loader)] for a loader, or
/// put together by hand.
///
/// Immutable: a method that adds something returns a changed copy.
///
/// @param kind what it is about
/// @param title a short heading
/// @param command the command that was run, without secrets; empty for a program
/// @param dataset what is read, in words; empty if unknown
/// @param options how it is delivered
/// @param plan who reads what; empty if unknown
/// @param runs the epochs or settings, in order
/// @param isLive whether a run goes on
public record Report(
    Kind kind,
    String title,
    Optional<String> command,
    Optional<String> dataset,
    List<Option> options,
    Optional<PlanPart> plan,
    List<Run> runs,
    boolean isLive) {
  /// What a report is about.
  public enum Kind {
    /// Epochs of a loader.
    LOAD,
    /// What an epoch would read.
    PLAN,
    /// Settings that were measured.
    BENCH,
    /// Epochs from a recording of Java's flight recorder.
    RECORDING
  }

  private static final int DATASET_MAX = 300;
  private static final int TITLE_MAX = 80;

  /// Copies the lists.
  public Report {
    options = List.copyOf(options);
    runs = List.copyOf(runs);
  }

  /// Begins a report.
  ///
  /// @param kind what it is about
  /// @param title a short heading
  /// @return a report without anything else
  public static Report of(Kind kind, String title) {
    return new Report(
        kind,
        title,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        List.of(),
        false);
  }

  /// Begins a report of files: where they are and how many rows they have is its title.
  ///
  /// @param kind what it is about
  /// @param dataset what is read
  /// @param options how it is delivered
  /// @param plan the plan of an epoch
  /// @return a report without runs
  public static Report of(Kind kind, StructuredDataset dataset, LoaderOptions options, Plan plan) {
    long rows =
        plan.files().stream()
            .collect(Collectors.toMap(DataFileInfo::location, DataFileInfo::rows, (a, _) -> a))
            .values()
            .stream()
            .mapToLong(Long::longValue)
            .sum();
    return of(kind, title(dataset) + String.format(Locale.ROOT, ", %,d rows", rows))
        .dataset(dataset)
        .options(options(options))
        .plan(PlanPart.of(dataset, options, plan));
  }

  private static String title(StructuredDataset dataset) {
    return shortened(places(dataset), TITLE_MAX);
  }

  /// Reports the epochs of a loader so far: those that it remembers, and the one that runs. Of a
  /// loader of files with the plan of the last epoch; and where rows are shuffled, with a sample of
  /// where they went, if that takes no reading of columns and there are at most 10 million rows.
  ///
  /// @param loader the loader
  /// @return its report
  /// @throws java.io.UncheckedIOException if the files cannot be listed or their footers not be
  ///   read
  public static Report of(Loader<?> loader) {
    return switch (loader) {
      case DataLoader files -> of(files);
      case CollatedLoader<?> view -> of(view.loader());
      default -> of(Kind.LOAD, loader.toString()).runs(epochs(loader.history()));
    };
  }

  private static Report of(DataLoader loader) {
    List<EpochRecord> history = loader.history();
    List<Run> runs = new ArrayList<>(epochs(history));
    StructuredDataset dataset = loader.dataset();
    LoaderOptions options = loader.options();
    if (runs.isEmpty()) {
      return of(Kind.LOAD, title(dataset)).dataset(dataset).options(options(options));
    }
    Plan plan = loader.plan(history.getLast().stats().epoch());
    runs.set(runs.size() - 1, runs.getLast().order(OrderPass.sample(loader, plan)));
    return of(Kind.LOAD, dataset, options, plan).runs(runs);
  }

  private static List<Run> epochs(List<EpochRecord> history) {
    return history.stream().map(Run::of).toList();
  }

  /// Reports the epochs in a recording of Java's flight recorder: those that ended in it, and the
  /// parts of others. It has no plan.
  ///
  /// @param recording a `.jfr` file with events of this library
  /// @return the report
  /// @throws IOException if the file cannot be read
  /// @throws IllegalArgumentException if it has no events of this library
  public static Report ofRecording(Path recording) throws IOException {
    return FlightRecording.read(recording);
  }

  /// Returns the options of a loader, as the table of docs/reference/options.md names them.
  ///
  /// @param options the options
  /// @return names and values
  public static List<Option> options(LoaderOptions options) {
    List<Option> list = new ArrayList<>();
    Described.options(options).forEach((name, value) -> list.add(new Option(name, value)));
    if (options.reading().autoWorkers()) {
      list.add(new Option("workers", "automatic, at most " + options.reading().workers()));
    }
    if (options.transformation().function().isPresent()) {
      list.add(new Option("transform", "of " + options.transformation().rows() + " rows"));
    }
    return list;
  }

  /// Says which command was run.
  ///
  /// @param line the command line, without secrets
  /// @return the changed report
  public Report command(String line) {
    return new Report(kind, title, Optional.of(line), dataset, options, plan, runs, isLive);
  }

  /// Says what is read.
  ///
  /// @param text in words
  /// @return the changed report
  public Report dataset(String text) {
    return new Report(kind, title, command, Optional.of(text), options, plan, runs, isLive);
  }

  /// Says what is read: where the files are, and the filter. The columns are left out, because
  /// there may be thousands.
  ///
  /// @param dataset the dataset
  /// @return the changed report
  public Report dataset(StructuredDataset dataset) {
    return dataset(shortened(places(dataset), DATASET_MAX) + where(dataset));
  }

  private static String places(StructuredDataset dataset) {
    return dataset
        .mixture()
        .map(mixture ->
            mixture.sources().stream()
                .map(Source::dataset)
                .map(each -> places(each) + where(each))
                .distinct()
                .collect(Collectors.joining(" and ")))
        .orElse(String.join(", ", dataset.locations()));
  }

  private static String where(StructuredDataset dataset) {
    return dataset.filter().map(filter -> " where " + filter).orElse("");
  }

  private static String shortened(String text, int length) {
    return text.length() > length ? text.substring(0, length) + "..." : text;
  }

  /// Sets the options of all runs.
  ///
  /// @param list the options
  /// @return the changed report
  public Report options(List<Option> list) {
    return new Report(kind, title, command, dataset, list, plan, runs, isLive);
  }

  /// Sets who reads what.
  ///
  /// @param part the plan
  /// @return the changed report
  public Report plan(PlanPart part) {
    return new Report(kind, title, command, dataset, options, Optional.of(part), runs, isLive);
  }

  /// Sets the runs.
  ///
  /// @param list the epochs or settings
  /// @return the changed report
  public Report runs(List<Run> list) {
    return new Report(kind, title, command, dataset, options, plan, list, isLive);
  }

  /// Says whether a run goes on.
  ///
  /// @param on true while it does
  /// @return the changed report
  public Report live(boolean on) {
    return new Report(kind, title, command, dataset, options, plan, runs, on);
  }

  /// Returns the report's data.
  ///
  /// @return one JSON object
  public String json() {
    return ReportJson.of(this);
  }

  /// Writes the page. The file is complete or not there: it is written under another name first.
  ///
  /// @param file the HTML file to write; one that exists is replaced
  /// @throws IOException if it cannot be written
  public void write(Path file) throws IOException {
    Path written = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".part");
    try {
      try (OutputStream out = Files.newOutputStream(written, StandardOpenOption.CREATE_NEW)) {
        ReportPage.write(json(), out);
      }
      Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(written);
    }
  }
}
