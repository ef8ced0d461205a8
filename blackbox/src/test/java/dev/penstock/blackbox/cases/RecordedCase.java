package dev.penstock.blackbox.cases;

import java.util.ArrayList;
import java.util.List;

/// What is read how, and where it is stopped and goes on: all of it in words, drawn by a number.
///
/// @param number the number
/// @param sources the choices of each dataset, its table first, see [RecordedDataset]
/// @param mixture how the datasets are mixed; empty for one that is read alone
/// @param options the options of the loader, see [RecordedLoader]
/// @param epoch the first epoch that is read
/// @param stops the numbers of batches after which the state is recorded
/// @param then the options of the loader that goes on; where they name one of `options`, they count
/// @param steps how the run goes on: with the state of one rank or of all, changed or not
record RecordedCase(
    int number,
    List<List<String>> sources,
    List<String> mixture,
    List<String> options,
    long epoch,
    List<Integer> stops,
    List<String> then,
    List<String> steps) {
  static RecordedCase of(int number) {
    return new RecordedDraw(number).drawn();
  }

  /// Says all of it, as a failure shows it.
  String words() {
    StringBuilder words = new StringBuilder();
    sources.forEach(
        each -> words.append("  dataset  ").append(String.join(", ", each)).append('\n'));
    if (!mixture.isEmpty()) {
      words.append("  mixture  ").append(String.join(", ", mixture)).append('\n');
    }
    return words
        .append("  options  " + String.join(", ", options) + '\n')
        .append("  epoch    " + epoch + ", states after batches " + stops + '\n')
        .append(
            "  goes on  " + String.join(", ", steps) + " with " + String.join(", ", then) + '\n')
        .toString();
  }

  /// Returns the options of the loader that goes on.
  List<String> thenOptions() {
    List<String> changed =
        new ArrayList<>(
            options.stream()
                .filter(each -> then.stream().noneMatch(other -> name(other).equals(name(each))))
                .toList());
    changed.addAll(then);
    return changed;
  }

  private static String name(String option) {
    return option.split(" ", -1)[0];
  }

  /// Returns the options of one rank of this world.
  List<String> options(int rank) {
    return options.stream()
        .map(each -> each.startsWith("rank ") ? "rank " + rank + " of " + world() : each)
        .toList();
  }

  int world() {
    return worldOf(options);
  }

  /// Returns how many ranks there are by options, whose last ones count.
  static int worldOf(List<String> options) {
    return options.stream()
        .filter(each -> each.startsWith("rank "))
        .mapToInt(each -> Integer.parseInt(each.split(" ", -1)[3]))
        .reduce(1, (_, last) -> last);
  }

  boolean has(String option) {
    return options.stream().anyMatch(each -> each.equals(option) || name(each).equals(option));
  }

  boolean isInOrder() {
    return !has("inOrder false");
  }
}
