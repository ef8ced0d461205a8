package dev.penstock.internal.compose;

import dev.penstock.compose.Groups;
import dev.penstock.compose.SlidingWindows;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.plan.FixedWindows;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.plan.WindowRun;
import dev.penstock.internal.slices.RowOrigin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Where groups begin, found in windows that cut them: a window that is delivered begins with the
/// first group that begins in a window that was read, and ends where the next one begins.
final class JoinedGroups {
  private final Composing composing;

  /// Where each window to deliver begins, in the sequence of all rows.
  private final List<FixedWindows.Start> starts = new ArrayList<>();

  private final List<Long> made = new ArrayList<>();
  private final Map<Optional<Object>, RowOrigin> places = new HashMap<>();
  private List<Integer> sizes = new ArrayList<>(); // of the last window's groups
  private WindowFact.@Nullable GroupsOf last;

  private JoinedGroups(Composing composing) {
    this.composing = composing;
  }

  /// Joins the groups of windows of neighbouring rows.
  ///
  /// @throws IOException if a group is larger than a batch, or a key comes again
  static CountedWindows.OfGroups of(Composing composing, Sequence windows, WindowFacts facts)
      throws IOException {
    JoinedGroups joined = new JoinedGroups(composing);
    long row = 0;
    boolean goesOn = false;
    for (Run run : windows.runs()) {
      WindowRun window = (WindowRun) run;
      if (facts.of(window.number()) instanceof WindowFact.GroupsOf groups) {
        joined.add(window, new FixedWindows.Start(row, goesOn), groups);
      }
      row += window.rowsInAll();
      goesOn = window.goesOn();
    }
    joined.close();
    return new CountedWindows.OfGroups(joined.starts, joined.made);
  }

  private void add(WindowRun window, FixedWindows.Start start, WindowFact.GroupsOf groups)
      throws IOException {
    WindowFact.GroupsOf before = last;
    int first = 0;
    last = groups;
    if (before != null && Objects.equals(before.lastKey(), groups.firstKey())) {
      int size = Math.addExact(sizes.removeLast(), groups.sizes().getFirst());
      sizes.add(size);
      requireFits(size, before.last());
      first = 1;
      if (groups.sizes().size() == 1) { // it goes on in the next window, and began before
        last = groups.beginning(before.last());
      }
    }
    if (first < groups.sizes().size()) {
      close();
      RowOrigin begins = first == 0 ? groups.first() : groups.second();
      long row = start.row() + window.offset(begins.file(), begins.first());
      starts.add(new FixedWindows.Start(starts.isEmpty() ? 0 : row, start.isContinuing()));
      sizes.addAll(groups.sizes().subList(first, groups.sizes().size()));
    }
    requireNew(groups, first);
  }

  /// Counts what is made of the last window.
  private void close() {
    if (!sizes.isEmpty()) {
      made.add(
          switch (composing.how()) {
            case SlidingWindows windows -> ComposedSlides.count(sizes, windows);
            default -> ComposedGroups.batches(sizes, composing.batchSize());
          });
      sizes = new ArrayList<>();
    }
  }

  private void requireFits(int size, RowOrigin first) throws IOException {
    if (composing.how() instanceof Groups groups) {
      ComposedGroups.requireFits(groups, size, composing.batchSize(), first);
    }
  }

  private void requireNew(WindowFact.GroupsOf groups, int first) throws IOException {
    List<WindowFact.Group> all = groups.all();
    for (int i = first; all != null && i < all.size(); i++) {
      WindowFact.Group group = all.get(i);
      RowOrigin before = places.putIfAbsent(Optional.ofNullable(group.key()), group.first());
      if (before != null) {
        String column = composing.how().column();
        throw new IOException(
            Sentence.of(
                "Cannot group by '%s': the key of the group from %s comes again at %s. Sort the"
                    + " rows by '%s'.",
                column, before.place(), group.first().place(), column));
      }
    }
  }
}
