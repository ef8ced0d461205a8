package dev.penstock.internal.compose;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The bytes of what was noted of a window: a kind, then numbers. Groups have none, see
/// [CountedWindows.OfGroups].
final class WindowFactCode {
  private static final int NOTHING = 0;
  private static final int ROWS = 1;
  private static final int BATCHES = 2;
  private static final int WEIGHTS = 3;

  private WindowFactCode() {}

  static void write(@Nullable WindowFact fact, DataOutputStream out) throws IOException {
    switch (fact) {
      case null -> out.writeByte(NOTHING);
      case WindowFact.Rows(int rows) -> {
        out.writeByte(ROWS);
        out.writeInt(rows);
      }
      case WindowFact.Batches(List<Integer> sizes) -> {
        out.writeByte(BATCHES);
        out.writeInt(sizes.size());
        for (int size : sizes) {
          out.writeInt(size);
        }
      }
      case WindowFact.Weights(double sum, int rows) -> {
        out.writeByte(WEIGHTS);
        out.writeDouble(sum);
        out.writeInt(rows);
      }
      case WindowFact.GroupsOf _ -> throw new IllegalArgumentException("Groups are joined first.");
    }
  }

  /// @throws IOException if it is none that [#write] writes
  static @Nullable WindowFact read(DataInputStream in) throws IOException {
    int kind = in.readByte();
    return switch (kind) {
      case NOTHING -> null;
      case ROWS -> new WindowFact.Rows(number(in));
      case BATCHES -> {
        List<Integer> sizes = new ArrayList<>();
        for (int left = number(in); left > 0; left--) {
          sizes.add(number(in));
        }
        yield new WindowFact.Batches(List.copyOf(sizes));
      }
      case WEIGHTS -> new WindowFact.Weights(in.readDouble(), number(in));
      default -> throw new IOException("Kinds of windows are 0 to 3, got " + kind + ".");
    };
  }

  private static int number(DataInputStream in) throws IOException {
    int number = in.readInt();
    if (number < 0) {
      throw new IOException("Numbers are at least 0, got " + number + ".");
    }
    return number;
  }
}
