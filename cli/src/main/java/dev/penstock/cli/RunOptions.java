package dev.penstock.cli;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.penstock.LoaderState;
import dev.penstock.RowsOfSteps;
import dev.penstock.StepAudit;
import dev.penstock.StructuredDataset;
import dev.penstock.options.LoaderOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/// Which run is asked about: in the epoch of a state as that says, in others from start to end
/// without the rows that it excluded.
final class RunOptions {
  @Option(
      names = "--state",
      paramLabel = "FILE",
      description =
          "A state that the run saved, best the last one of the epoch. Epochs without one ran from"
              + " start to end, without the rows that states exclude. Repeatable: for the states of"
              + " all ranks after the same step, where --resume takes them, and for several epochs.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--pass",
      description = "Read the data where only that tells which rows a step has.")
  private boolean pass;

  private final Map<Long, LoaderState> states = new TreeMap<>();

  boolean hasState() {
    return !files.isEmpty();
  }

  /// Reads the states.
  ///
  /// @throws IllegalArgumentException if one is none, or those of an epoch do not belong together
  void begin() {
    files.stream()
        .map(SavedState::read)
        .map(SavedState::state)
        .collect(groupingBy(LoaderState::epoch, toList()))
        .forEach((epoch, ofRanks) ->
            states.put(
                epoch, ofRanks.size() == 1 ? ofRanks.getFirst() : LoaderState.merge(ofRanks)));
  }

  /// Returns the epoch that is asked about.
  ///
  /// @throws UsageException if there are states of several, and none is chosen
  long epoch(RequestOptions request) {
    if (request.choosesEpoch() || states.isEmpty()) {
      return request.epoch();
    }
    if (states.size() > 1) {
      throw new UsageException(
          "Missing --epoch: the states are of the epochs "
              + states.keySet().stream().map(String::valueOf).collect(Collectors.joining(", "))
              + ".");
    }
    return states.keySet().iterator().next();
  }

  /// Returns whether a state says how an epoch went.
  boolean hasStateOf(long epoch) {
    return states.containsKey(epoch);
  }

  /// Returns the rows of an epoch.
  RowsOfSteps rows(StructuredDataset dataset, LoaderOptions options, long epoch) {
    return audit(dataset, options).rows(epoch);
  }

  StepAudit audit(StructuredDataset dataset, LoaderOptions options) {
    StepAudit audit = StepAudit.of(dataset, options).pass(pass);
    for (LoaderState state : states.values()) {
      audit = audit.state(state);
    }
    return audit;
  }

  /// Runs a step that asks a run, or changes it, and reports what it cannot as a fault of the
  /// request.
  static <T> T blame(Supplier<T> step) {
    try {
      return step.get();
    } catch (IllegalStateException fault) {
      throw new IllegalArgumentException(fault.getMessage(), fault);
    }
  }
}
