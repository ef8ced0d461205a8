package dev.penstock.internal.compose;

import dev.penstock.internal.boxing.ObjectMaker;
import dev.penstock.internal.compose.WindowFact.Trend;
import dev.penstock.internal.slices.RowOrigin;
import dev.penstock.internal.slices.Rows;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The groups of neighbouring rows with the same key in a window.
///
/// @param starts the first row of each group, and the end
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record Keys(Rows window, @Nullable Object[] keys, int[] starts) {
  static Keys of(Rows window, int column, String name) throws IOException {
    @Nullable Object[] keys = objects(window, column, name);
    int[] starts = new int[keys.length + 1];
    int groups = 0;
    for (int row = 0; row < keys.length; row++) {
      if (keys[row] instanceof byte[] bytes) {
        keys[row] = ByteBuffer.wrap(bytes);
      }
      if (row == 0 || !Objects.equals(keys[row], keys[row - 1])) {
        starts[groups++] = row;
      }
    }
    starts[groups] = keys.length;
    return new Keys(window, keys, Arrays.copyOf(starts, groups + 1));
  }

  static @Nullable Object[] objects(Rows window, int column, String name) throws IOException {
    @Nullable Object[] objects = new Object[window.count()];
    ObjectMaker.makeAll(window.column(column), name, window::origin, objects);
    return objects;
  }

  int count() {
    return starts.length - 1;
  }

  int start(int group) {
    return starts[group];
  }

  int size(int group) {
    return starts[group + 1] - starts[group];
  }

  RowOrigin origin(int group) {
    return window.origin(starts[group]);
  }

  WindowFact.GroupsOf fact(boolean all) {
    List<Integer> sizes = new ArrayList<>();
    List<WindowFact.Group> groups = new ArrayList<>();
    Trend trend = Trend.NONE;
    for (int group = 0; group < count(); group++) {
      sizes.add(size(group));
      if (group > 0) {
        trend = trend.and(Trend.of(keys[starts[group - 1]], keys[starts[group]]));
      }
      if (all) {
        groups.add(new WindowFact.Group(keys[starts[group]], origin(group)));
      }
    }
    int last = count() - 1;
    return new WindowFact.GroupsOf(
        sizes,
        keys[0],
        keys[keys.length - 1],
        origin(0),
        origin(Math.min(1, last)),
        origin(last),
        trend,
        all ? groups : null);
  }
}
