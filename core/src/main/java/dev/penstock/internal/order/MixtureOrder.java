package dev.penstock.internal.order;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.compose.Composition;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.plan.Dealing;
import dev.penstock.internal.plan.KeyedPermutation;
import dev.penstock.internal.plan.Matches;
import dev.penstock.internal.plan.Mix;
import dev.penstock.internal.plan.Mixing;
import dev.penstock.internal.plan.Reach;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.plan.Source;
import dev.penstock.internal.state.SavedState;
import dev.penstock.internal.state.StateIdentity;
import dev.penstock.split.Plan;
import dev.penstock.split.Shuffle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// The rows of several datasets, each with a share. With a shuffle window, the rows that each
/// source has in it change places with each other; globally, all of its rows do. A composition
/// makes others of the rows of windows of a rank's share.
final class MixtureOrder extends EpochOrder {
  private final boolean isGlobal;

  private MixtureOrder(OrderInput in, Reach reach, boolean isGlobal) {
    super(in, reach);
    this.isGlobal = isGlobal;
  }

  static MixtureOrder of(OrderInput in, Reach reach) {
    requireFits(in);
    return new MixtureOrder(in, reach, false);
  }

  /// Makes a mixture in which each row may come at any place of its source.
  static MixtureOrder global(OrderInput in, Shuffle.Passes passes) {
    GlobalOrder.requireFits(in, passes == Shuffle.Passes.TWO ? GlobalOrder.NOT_MIXED : "");
    requireFits(in);
    return new MixtureOrder(in, Reach.NONE, true);
  }

  private static void requireFits(OrderInput in) {
    if (in.composition().isPresent()) {
      ComposedOrder.requireDropsNothing(in);
      if (in.composition().get().isBalanced()) {
        throw new IllegalArgumentException(
            Sentence.of(
                "Cannot compose a mixture to %s: which steps its windows have is not counted. Leave"
                    + " out balanced(), or read one dataset.",
                in.composition().get()));
      }
      if (ComposedOrder.isAlwaysCounted(in.composition().get())) {
        throw new IllegalArgumentException(
            "Cannot compose a mixture to "
                + in.composition().get()
                + ": its rows are others in each epoch. Buckets and packs can be made of a"
                + " mixture.");
      }
    }
    if (in.options().order().splitPerWorker()) {
      throw Advice.argumentError(
          "Cannot let each worker make batches of its own Split: a mixture has rows of all"
              + " sources in each. Leave out %s.",
          Remedy.call("splitPerWorker", "true"));
    }
    if (in.changesRows()) {
      throw new IllegalArgumentException(
          "Cannot transform the rows of a mixture: the transform may change their number, and with"
              + " it the shares. Give one whose keepsRows() is true, or mix without a transform.");
    }
  }

  @Override
  List<Need> counts(@Nullable SavedState state) {
    List<Source> tested =
        in.sources().stream().filter(source -> !source.pruning().isExact()).toList();
    return tested.isEmpty() ? List.of() : List.of(new Need.Matches(tested));
  }

  @Override
  List<Need> stores() {
    return isGlobal
        ? List.of(new Need.Cache(in.sources().stream().map(Source::inFileOrder).toList()))
        : List.of();
  }

  @Override
  Sequence rows(long epoch, List<Sequence> passes, Counted counted) {
    Mixing mixing = mixing(epoch, counted, isGlobal);
    return isGlobal ? Sequence.global(mixing, GlobalOrder.rowsAtOnce(in)) : Sequence.of(mixing);
  }

  private Mixing mixing(long epoch, Counted counted, boolean isPermuted) {
    List<Mixing.Source> mixed = new ArrayList<>();
    for (Source source : in.sources()) {
      Matches matches = counted.of(source.number());
      long rows = source.rowsLeft(matches);
      if (rows == 0) {
        throw new IllegalArgumentException(
            Sentence.of(
                "Cannot mix source %s, %s: it has no rows. Leave it out.",
                source.number(), source.dataset()));
      }
      LongFunction<Sequence> all = passesOf(source, matches, isPermuted);
      mixed.add(
          new Mixing.Source(
              rows, source.groupRows(), matches, pass -> all.apply(pass).byMatches(matches)));
    }
    return Mixing.of(mix(), mixed, in.seed(), epoch);
  }

  private LongFunction<Sequence> passesOf(
      Source source, @Nullable Matches matches, boolean isPermuted) {
    if (!isPermuted) {
      return pass -> source.sequence(whole(source, pass).sequence());
    }
    Sequence inOrder = source.inFileOrder();
    long seed = source.seed(in.seed());
    int atOnce = GlobalOrder.rowsAtOnce(in);
    return pass -> inOrder.global(matches, rows -> new KeyedPermutation(rows, seed, pass), atOnce);
  }

  /// Deals each stage of the weights to all ranks, so that these have the same weights at each
  /// step.
  @Override
  Sequence numbered(Sequence rows, Dealing dealing, long epoch, Counted counted) {
    return dealing.world() == 1 ? rows : rows.byStages(dealing);
  }

  private Mix mix() {
    return in.mix().orElseThrow();
  }

  @Override
  Sequence ordered(Sequence share) {
    if (in.composition().isPresent()) {
      int rows = reach().isInWindows() ? reach().windowRows() : Composition.ROWS;
      return share.composed(rows, reach().isInWindows());
    }
    return reach().isInWindows() ? share.windowed(reach().windowRows()) : share;
  }

  @Override
  Sequence delivered(Sequence share, long from, long to, Counted counted) {
    return reach().isInWindows() && in.composition().isEmpty()
        ? share.windowed(reach().windowRows(), from, to)
        : super.delivered(share, from, to, counted);
  }

  @Override
  @Nullable String maker() {
    return in.composition().isPresent() ? "composition" : null;
  }

  @Override
  boolean isExact() {
    return in.composition().isEmpty();
  }

  @Override
  long places(long epoch, Counted counted) {
    return mixing(0, counted, false).rows();
  }

  @Override
  Plan plan(Dealing dealing, long epoch, Counted counted) {
    Sequence all = numbered(Sequence.of(mixing(epoch, counted, false)), dealing, epoch, counted);
    Sequence dealt = dealing.share(all, in.rank().index());
    Sequence read = isGlobal ? all : dealt;
    return plan(epoch, read.splits(), Mixing.sources(dealt.runs(), dealt.rows()));
  }

  @Override
  boolean isPlanCounted() {
    return true;
  }

  @Override
  StateIdentity identity(List<Sequence> passes) {
    List<StateIdentity> each = new ArrayList<>();
    for (Source source : in.sources()) {
      each.add(StateIdentity.of(source, text(), in.seed(), passes.get(source.number())));
    }
    return StateIdentity.mixed(each, mix().toString());
  }

  @Override
  String name() {
    return isGlobal ? Shuffle.global().toString() : super.name();
  }
}
