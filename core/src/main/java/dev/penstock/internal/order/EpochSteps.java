package dev.penstock.internal.order;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.plan.ChosenRows;
import dev.penstock.internal.plan.Dealing;
import dev.penstock.internal.plan.Dealing.Leg;
import dev.penstock.internal.plan.Position;
import dev.penstock.internal.plan.RowFinder;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.table.TableFile;
import dev.penstock.steps.Steps;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The steps of an epoch, in all of its worlds: which rows they have, and which steps have rows.
/// Nothing is read, so each row of a batch is to be a row of a file.
///
/// A rank's share is numbered by what is delivered of it; step `k` of a world has places `[(k -
/// firstStep) * size, ... + size)` of each.
///
/// **Threads.** One at a time.
public final class EpochSteps {
  /// Takes rows.
  public interface Sink {
    /// Takes the next row.
    ///
    /// @param place the row in the batch
    /// @param row counted among the live rows of the file
    void row(long step, int rank, int place, int source, TableFile file, long row);
  }

  private final EpochOrder order;
  private final Counted counted;
  private final int size;
  private final RowFinder finder;
  private final List<World> worlds = new ArrayList<>();

  /// The steps of a world, and where it stopped or was saved.
  ///
  /// @param step after how many steps of the epoch it did
  /// @param positions of each rank; a single one of all, or of the rank `alone`
  private record World(
      DealtSteps dealt, List<Steps> skips, long step, List<Position> positions, int alone) {
    static final int ALL = -1;

    Dealing dealing() {
      return dealt.dealing();
    }

    boolean has(long number) {
      return number >= dealt.firstStep() && number < dealt.endStep();
    }

    boolean isDelivered(long number) {
      return has(number) && skips.stream().noneMatch(each -> each.contains(number));
    }

    @Nullable Position position(int rank) {
      return positions.size() > 1
          ? positions.get(rank)
          : alone == ALL || alone == rank ? positions.getFirst() : null;
    }
  }

  /// What a rank is delivered.
  ///
  /// @param dealt what it was dealt, not in the order of its share
  /// @param place the first place of step `step`; those before are not known if `isLater`
  /// @param end the place after the last that is delivered
  private record Share(Sequence dealt, long step, long place, boolean isLater, long end) {}

  /// @param dealt what each world was dealt, those of past legs first
  /// @param from where the epoch goes on
  /// @param positions of the ranks there; one of all, or of the rank `alone`
  EpochSteps(
      EpochOrder order,
      Counted counted,
      long epoch,
      List<DealtSteps> dealt,
      ResumePoint from,
      List<Position> positions,
      int alone) {
    this.order = order;
    this.counted = counted;
    this.size = order.placesOfBatch();
    this.finder = new RowFinder(order.in.seed(), epoch, counted::of);
    long first = 0;
    for (int i = 0; i < from.past().size(); i++) {
      Leg leg = from.past().get(i);
      long end =
          leg.batches().isPresent()
              ? leg.batches().getAsLong()
              : first + steps(leg, dealt.get(i).rows());
      DealtSteps each = dealt.get(i).between(first, end);
      worlds.add(new World(each, leg.skips(), end, leg.positions(), World.ALL));
      first = end;
    }
    DealtSteps last = dealt.getLast().between(first, Long.MAX_VALUE);
    int only = isKnown(last) || last.dealing().world() == 1 ? World.ALL : alone;
    worlds.add(new World(last, from.skips(), from.batches(), positions, only));
  }

  /// Returns how many steps a leg had that does not say it, as an earlier version wrote it: those
  /// that the rows take which were delivered.
  private long steps(Leg leg, Sequence dealt) {
    long most = 0;
    for (int rank = 0; rank < leg.positions().size(); rank++) {
      Position stopped = leg.positions().get(rank);
      long rows =
          order.isExact() || leg.dealing().byMatches()
              ? stopped.rows()
              : delivered(order.ordered(leg.dealing().share(dealt, rank)), stopped);
      most = Math.max(most, rows);
    }
    return Math.ceilDiv(most, size);
  }

  /// Returns how many rows of a share were delivered up to a position.
  private long delivered(Sequence share, Position stopped) {
    Sequence before = share.slice(0, Math.min(stopped.rows(), share.rows()));
    return order.delivered(before, counted).rows();
  }

  private boolean isKnown(DealtSteps dealt) {
    return order.isExact() || dealt.dealing().byMatches();
  }

  private World world(long step) {
    for (World each : worlds) {
      if (each.has(step)) {
        return each;
      }
    }
    throw new IllegalArgumentException("No step " + step);
  }

  /// Returns how many ranks the world had that had a step.
  public int ranks(long step) {
    return world(step).dealing().world();
  }

  /// Returns a step behind the last one that has rows.
  public long end() {
    World last = worlds.getLast();
    long most = last.dealing().most(last.dealt().rows().rows());
    if (most == 0) {
      return last.dealt().firstStep();
    }
    Share first = share(last, 0);
    return first.step() + Math.ceilDiv(Math.max(0, most - first.place()), size);
  }

  private Share share(World world, int rank) {
    DealtSteps dealt = world.dealt();
    Sequence all = world.dealing().share(dealt.rows(), rank);
    boolean isKnown = isKnown(dealt);
    long rows = isKnown ? all.rows() : order.delivered(order.ordered(all), counted).rows();
    long step = dealt.firstStep();
    long place = 0;
    Position stopped = world.position(rank);
    if (stopped != null) {
      long delivered =
          isKnown ? Math.min(stopped.rows(), rows) : delivered(order.ordered(all), stopped);
      long steps = world.step() - step;
      boolean isAsDealt = delivered == (steps > rows / size ? rows : steps * size);
      if (!isAsDealt) {
        step = world.step();
        place = delivered;
      }
    }
    boolean isLater = step > dealt.firstStep() || place > 0;
    ResumePoint from =
        new ResumePoint(
            List.of(), world.dealing(), new Position(place, 0), step, List.of(), List.of());
    long left = rows - place;
    long end =
        place
            + order
                .end(from, isKnown ? dealt.rows().rows() : -1, isKnown ? left : Long.MAX_VALUE)
                .inBatchesOf(order.in.options().batching().size())
                .rows(left);
    return new Share(all, step, place, isLater, end);
  }

  /// Gives the rows that a rank has in a step before [#end()], in the order of the batch; none if
  /// the step was skipped, or the world has no such rank.
  ///
  /// @throws IllegalArgumentException if the batch size was another one at that step
  public void rows(long step, int rank, Sink sink) {
    World world = world(step);
    if (rank < 0 || rank >= world.dealing().world() || !world.isDelivered(step)) {
      return;
    }
    Share share = share(world, rank);
    if (step < share.step()) {
      throw differs(share, step, rank);
    }
    if (step - share.step() > share.end() / size) {
      return;
    }
    long from = share.place() + (step - share.step()) * size;
    if (from < share.end()) {
      long to = Math.min(from + size, share.end());
      Sequence batch = order.delivered(share.dealt(), from, to, counted);
      int[] place = new int[1];
      finder.rows(
          batch, (source, file, row) -> sink.row(step, rank, place[0]++, source, file, row));
    }
  }

  private IllegalArgumentException differs(Share share, long step, int rank) {
    return Advice.argumentError(
        "Cannot tell the rows of step %s: rank %s had %s rows in the steps before step %s, which are"
            + " not batches of %s. Give the %s that the run had then.",
        step, rank, share.place(), share.step(), size, Remedy.call("batchSize"));
  }

  /// A row of a step.
  private record Found(long step, int rank, int place, RowFinder.Placed row) {}

  /// Finds where rows are delivered, in the order of the epoch.
  ///
  /// @throws IllegalArgumentException if the batch size was another one in a step that has one
  public void find(ChosenRows wanted, Sink sink) {
    List<Found> found = new ArrayList<>();
    for (World world : worlds) {
      if (world.dealt().firstStep() < world.dealt().endStep()) {
        find(world, wanted, found);
      }
    }
    found.sort(
        Comparator.comparingLong(Found::step)
            .thenComparingInt(Found::rank)
            .thenComparingInt(Found::place));
    for (Found each : found) {
      RowFinder.Placed row = each.row();
      sink.row(each.step(), each.rank(), each.place(), row.source(), row.file(), row.row());
    }
  }

  private void find(World world, ChosenRows wanted, List<Found> found) {
    Dealing dealing = world.dealing();
    long rows = world.dealt().rows().rows();
    SortedMap<Integer, ChosenRows.Builder> byRank = new TreeMap<>();
    for (RowFinder.Placed row : finder.placed(world.dealt().rows(), wanted)) {
      for (int rank : dealing.ranksOf(rows, row.place())) {
        byRank
            .computeIfAbsent(rank, _ -> new ChosenRows.Builder())
            .add(row.source(), row.file().location(), row.row());
      }
    }
    byRank.forEach((rank, chosen) -> {
      Share share = share(world, rank);
      Sequence delivered = order.delivered(order.ordered(share.dealt()), counted);
      for (RowFinder.Placed row : finder.placed(delivered, chosen.build())) {
        add(world, rank, share, row, found);
      }
    });
  }

  private void add(World world, int rank, Share share, RowFinder.Placed row, List<Found> found) {
    long own = row.place() - share.place();
    long step = share.step() + Math.floorDiv(own, size);
    if (row.place() < share.end() && step < world.dealt().endStep()) {
      if (own < 0 && share.isLater()) {
        throw new IllegalArgumentException(
            Sentence.of(
                "Cannot tell the step of a row: %s",
                differs(share, share.step() - 1, rank).getMessage()));
      }
      if (world.isDelivered(step)) {
        found.add(new Found(step, rank, Math.floorMod(own, size), row));
      }
    }
  }
}
