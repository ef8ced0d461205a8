package dev.penstock.internal.plan;

import dev.penstock.internal.table.TableFile;
import java.util.ArrayList;
import java.util.List;

/// The rows of a mixture, each of which may come at any place of its source.
///
/// Which places a source has is said by [Mixing], as in any other order, so shares hold. Which of
/// the source's rows is at which of them is said by a [TablePlaces], another one for each pass.
final class MixturePlaces extends RowPlaces {
  private final Mixing mixing;
  private final List<RowRun> groups = new ArrayList<>();

  /// @param mixing a mixture that has rows, whose passes are in a global order
  MixturePlaces(Mixing mixing, int atOnce) {
    super(atOnce);
    this.mixing = mixing;
    for (int source = 0; source < mixing.sourceCount(); source++) {
      groups.addAll(runs(source, 0, 1).getFirst().places().groups());
    }
  }

  @Override
  WindowOrder.Mixed mixed(long first, long count) {
    return new WindowOrder.Mixed(mixing, first, count, true);
  }

  @Override
  public List<RowRun> groups() {
    return groups;
  }

  @Override
  public PlacedRuns choose(long first, int count) {
    long[] before = mixing.before(first);
    int[][] placesOf = places(first, count);
    List<RowRun> parts = new ArrayList<>();
    int[] places = new int[count];
    int read = 0;
    for (int source = 0; source < placesOf.length; source++) {
      int[] own = placesOf[source];
      int at = 0;
      for (WindowOrder.Placed run : runs(source, before[source], before[source] + own.length)) {
        int rows = Math.toIntExact(run.rows());
        PlacedRuns chosen = run.places().choose(run.firstPlace(), rows);
        parts.addAll(chosen.parts());
        for (int place : chosen.places()) {
          places[read++] = own[at + place];
        }
        at += rows;
      }
    }
    return new PlacedRuns(parts, places);
  }

  /// Returns the places of each source, counted from the first.
  private int[][] places(long first, int count) {
    int[] sources = new int[count];
    mixing.sources(first, count, sources);
    int[] counts = new int[mixing.sourceCount()];
    for (int source : sources) {
      counts[source]++;
    }
    int[][] places = new int[counts.length][];
    for (int source = 0; source < places.length; source++) {
      places[source] = new int[counts[source]];
    }
    for (int place = count - 1; place >= 0; place--) {
      int source = sources[place];
      places[source][--counts[source]] = place;
    }
    return places;
  }

  Mixing mixing() {
    return mixing;
  }

  @Override
  void rows(long first, int count, RowSink sink) {
    long[] before = mixing.before(first);
    int[][] placesOf = places(first, count);
    TableFile[] files = new TableFile[count];
    long[] rows = new long[count];
    int[] sources = new int[count];
    for (int source = 0; source < placesOf.length; source++) {
      int[] own = placesOf[source];
      int[] next = new int[1];
      for (WindowOrder.Placed run : runs(source, before[source], before[source] + own.length)) {
        RowSink toPlace =
            (number, file, row) -> {
              int place = own[next[0]++];
              sources[place] = number;
              files[place] = file;
              rows[place] = row;
            };
        run.places().rows(run.firstPlace(), Math.toIntExact(run.rows()), toPlace);
      }
    }
    for (int place = 0; place < count; place++) {
      sink.row(sources[place], files[place], rows[place]);
    }
  }

  @Override
  public RowRun at(long place) {
    int[] source = new int[1];
    mixing.sources(place, 1, source);
    long row = mixing.before(place)[source[0]];
    WindowOrder.Placed run = runs(source[0], row, row + 1).getFirst();
    return run.places().at(run.firstPlace());
  }

  /// Returns where rows of a source are in the orders of its passes.
  private List<WindowOrder.Placed> runs(int source, long from, long to) {
    return from == to
        ? List.of()
        : mixing.part(source, from, to).runs().stream()
            .map(run -> (WindowOrder.Placed) ((WindowRun) run).order())
            .toList();
  }
}
