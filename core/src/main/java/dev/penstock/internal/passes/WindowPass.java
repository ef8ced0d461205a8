package dev.penstock.internal.passes;

import dev.penstock.internal.compose.ComposedWindows;
import dev.penstock.internal.compose.Composing;
import dev.penstock.internal.compose.CountedWindows;
import dev.penstock.internal.compose.WindowFacts;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.order.Need;
import dev.penstock.internal.plan.Sequence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds how much a composition makes of each window, by one pass over the column that decides it,
/// unless a cache has it; then ranks can be dealt equal numbers of batches. Where keys are not
/// sorted, a second pass looks for one that comes again.
final class WindowPass {
  private static final Logger LOG = LoggerFactory.getLogger(WindowPass.class);

  private WindowPass() {}

  static ComposedWindows find(PassReader reader, Need.Windows need, RowSteps steps) {
    Composing composing = Objects.requireNonNull(steps.composing());
    Optional<KeptCounts> kept = KeptCounts.of(need, steps);
    Optional<CountedWindows> found = kept.flatMap(each -> each.find(need, composing.how()));
    try {
      if (found.isPresent()) {
        LOG.info("What is made of each window was counted before; the cache has it.");
        return ComposedWindows.of(composing, need.rows(), need.windows(), found.get());
      }
      CountedWindows counted = count(reader, need.windows(), steps, composing);
      ComposedWindows made = ComposedWindows.of(composing, need.rows(), need.windows(), counted);
      kept.ifPresent(each -> each.keep(counted, need));
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private static CountedWindows count(
      PassReader reader, Sequence windows, RowSteps steps, Composing composing) throws IOException {
    WindowFacts facts = read(reader, windows, steps, false);
    boolean mayComeAgain = Composing.isOfGroups(composing.how()) && !facts.areKeysSorted(windows);
    if (mayComeAgain) {
      facts = read(reader, windows, steps, true);
    }
    return CountedWindows.of(composing, windows, facts);
  }

  private static WindowFacts read(
      PassReader reader, Sequence windows, RowSteps steps, boolean hasAllKeys) {
    WindowFacts facts = new WindowFacts(hasAllKeys);
    reader.read(
        "count what is made of each window", windows.runs(), steps.counting(facts), List.of());
    return facts;
  }
}
