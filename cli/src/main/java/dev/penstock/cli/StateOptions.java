package dev.penstock.cli;

import dev.penstock.DataLoader;
import dev.penstock.cli.output.Terminal;
import dev.penstock.steps.ExcludedRows;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Where a run starts and stops in its epochs, and which state it saves.
final class StateOptions {
  static final String HEADING = "How to stop and go on";

  @Option(
      names = "--stop-after-batches",
      paramLabel = "K",
      description = "Stop when this run has had K batches. Default: at the end.")
  private @Nullable Long stopAfter;

  @Option(
      names = "--save-state",
      paramLabel = "FILE",
      description = "Save where to go on: when it stops, and at the end.")
  private @Nullable Path saveTo;

  @Option(
      names = "--save-every",
      paramLabel = "K",
      description = "Save it after every K batches, too: for a run that may be killed.")
  private @Nullable Long saveEvery;

  @Option(
      names = "--resume",
      paramLabel = "FILE",
      description =
          "Go on where a state was saved, with the files and options of that run; batch size, workers"
              + " and ranks may differ. Once for each rank: the states of all ranks after the same"
              + " step.")
  private List<Path> resume = new ArrayList<>();

  @Option(
      names = "--skip",
      paramLabel = "A..B",
      description =
          "Leave out these steps of the epoch in which the run starts: of A and those after it,"
              + " without B. A saved state has it. Repeatable.")
  private List<String> skip = new ArrayList<>();

  @Option(
      names = "--exclude",
      paramLabel = "FILE",
      description =
          "Leave out rows from where the run starts, and in later epochs: JSON, an object a line,"
              + " with the values of some columns, or with file and row as penstock rows --json"
              + " prints them. A saved state has it. Repeatable.")
  private List<Path> exclude = new ArrayList<>();

  /// Checks the options.
  ///
  /// @throws UsageException if they are invalid for any data
  void check() {
    UsageException.requireAtLeast("--stop-after-batches", stopAfter(), 0);
    UsageException.requireAtLeast("--save-every", saveEvery == null ? 1 : saveEvery, 1);
    if (saveEvery != null && saveTo == null) {
      throw new UsageException("Cannot use --save-every without --save-state: name the file.");
    }
    skip.forEach(each -> StepsOption.parse("--skip", each));
  }

  /// Says that nothing is read, if so: no output would look like data without rows.
  void noteNothing(Terminal terminal) {
    if (stopAfter() == 0) {
      terminal.say("Note: nothing is read, as --stop-after-batches is 0.");
    }
  }

  /// Returns the maximum number of batches of this run.
  long stopAfter() {
    return stopAfter == null ? Long.MAX_VALUE : stopAfter;
  }

  /// Returns whether the run neither starts nor stops within an epoch.
  boolean isOfWholeEpochs() {
    return resume.isEmpty() && stopAfter == null;
  }

  boolean saves() {
    return saveTo != null;
  }

  /// Returns whether it is time to save.
  ///
  /// @param batches the number of batches that this run has received
  boolean isDue(long batches) {
    return saveEvery != null && batches % saveEvery == 0;
  }

  /// Fails early if nothing could be saved later.
  ///
  /// @throws java.io.UncheckedIOException if the file cannot be created there
  void requireWritable() {
    if (saveTo != null) {
      SavedState.target(saveTo);
    }
  }

  /// Saves the state, if requested.
  void save(SavedState state) {
    if (saveTo != null) {
      state.write(saveTo);
    }
  }

  /// Reads where to continue.
  ///
  /// @return the state; empty to start at the beginning
  /// @throws IllegalArgumentException if it is not a state, or states do not belong together
  /// @throws java.io.UncheckedIOException if it cannot be read
  Optional<SavedState> resumed() {
    return resume.isEmpty() ? Optional.empty() : Optional.of(SavedState.read(resume));
  }

  boolean leavesOut() {
    return !skip.isEmpty() || !exclude.isEmpty();
  }

  /// Leaves out what the options say, behind what the state leaves out.
  ///
  /// @param loader at the start of the run
  /// @throws IllegalArgumentException if a file has other lines, or the data has no such row
  void leaveOut(DataLoader loader) {
    List<ExcludedRows> rows = exclude.stream().map(ExcludedFile::read).toList();
    RunOptions.blame(() -> {
      rows.forEach(loader::exclude);
      skip.forEach(each -> loader.skip(StepsOption.parse("--skip", each)));
      return loader;
    });
  }
}
