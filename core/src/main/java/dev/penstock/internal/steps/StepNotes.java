package dev.penstock.internal.steps;

import dev.penstock.internal.clock.ClockedEpoch;
import dev.penstock.internal.clock.FlightEvents;
import dev.penstock.internal.deliver.StepTrace;
import dev.penstock.internal.slices.RowPart;
import dev.penstock.internal.steps.RowDigests.OfRows;
import dev.penstock.steps.StepDigest;
import dev.penstock.steps.StepsReceived;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Notes the digests of the steps of an epoch that a rank receives, and tells those who want them.
///
/// **Threads.** The consumer's; what was noted may be asked for by any.
public final class StepNotes implements StepTrace {
  /// Has a line for each step at level DEBUG.
  public static final Logger LOG = LoggerFactory.getLogger("dev.penstock.steps");

  private final RowDigests digests;
  private final ClockedEpoch epoch;
  private final Steps steps;
  private final @Nullable StepLog log;

  private volatile StepsReceived received; // written by the consumer

  /// Which steps they are.
  ///
  /// @param first the first step that the rank received in this run
  public record Steps(long first, int rank, int world) {}

  /// @param log null to write none
  public StepNotes(RowDigests digests, ClockedEpoch epoch, Steps steps, @Nullable StepLog log) {
    this.digests = digests;
    this.epoch = epoch;
    this.steps = steps;
    this.log = log;
    this.received = new StepsReceived(steps.rank, steps.world, 0, 0, List.of());
  }

  @Override
  public void received(long number, List<List<RowPart>> rows) throws IOException {
    OfRows found = digests.of(rows);
    StepDigest step =
        new StepDigest(
            epoch.epoch(),
            steps.first + number,
            steps.rank,
            steps.world,
            found.rows(),
            found.digest());
    if (log != null) {
      log.append(step);
    }
    if (LOG.isDebugEnabled()) {
      LOG.debug(step.toJson());
    }
    FlightEvents.step(epoch, step);
    received = received.and(step);
  }

  /// Returns what tells another, too.
  public StepTrace and(StepTrace other) {
    return (number, rows) -> {
      received(number, rows);
      other.received(number, rows);
    };
  }

  public Optional<StepDigest> last() {
    List<StepDigest> last = received.last();
    return last.isEmpty() ? Optional.empty() : Optional.of(last.getLast());
  }

  /// Returns what was received so far.
  public StepsReceived received() {
    return received;
  }
}
