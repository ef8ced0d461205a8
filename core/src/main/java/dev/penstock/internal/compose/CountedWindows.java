package dev.penstock.internal.compose;

import dev.penstock.compose.Composition;
import dev.penstock.internal.plan.FixedWindows;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.plan.WindowRun;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a pass has counted of all windows. As bytes it can be kept for later runs.
public sealed interface CountedWindows {
  /// How much is made of each window that was read.
  record Noted(WindowFacts facts) implements CountedWindows {}

  /// Where the windows of groups begin, and how much is made of each.
  record OfGroups(List<FixedWindows.Start> starts, List<Long> made) implements CountedWindows {}

  /// Returns what was counted, without the keys of groups.
  ///
  /// @throws IOException if a group is too large, or a key comes again
  static CountedWindows of(Composing composing, Sequence windows, WindowFacts facts)
      throws IOException {
    return Composing.isOfGroups(composing.how())
        ? JoinedGroups.of(composing, windows, facts)
        : new Noted(facts);
  }

  /// Returns all of it as bytes.
  default byte[] bytes(Sequence windows) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      DataOutputStream out = new DataOutputStream(bytes);
      switch (this) {
        case OfGroups(List<FixedWindows.Start> starts, List<Long> made) -> {
          out.writeInt(starts.size());
          for (int i = 0; i < starts.size(); i++) {
            out.writeLong(starts.get(i).row());
            out.writeBoolean(starts.get(i).isContinuing());
            out.writeLong(made.get(i));
          }
        }
        case Noted(WindowFacts facts) -> {
          for (Run run : windows.runs()) {
            WindowFactCode.write(facts.of(((WindowRun) run).number()), out);
          }
        }
      }
    } catch (IOException e) { // of no stream in memory
      throw new UncheckedIOException(e.getMessage(), e);
    }
    return bytes.toByteArray();
  }

  /// Returns what [#bytes] has; empty if that is not of these windows.
  static Optional<CountedWindows> read(byte[] bytes, Composition how, Sequence windows) {
    try {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
      CountedWindows read =
          Composing.isOfGroups(how) ? groups(in, windows.rows()) : noted(in, windows);
      return in.available() == 0 ? Optional.of(read) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static OfGroups groups(DataInputStream in, long rows) throws IOException {
    int count = in.readInt();
    List<FixedWindows.Start> starts = new ArrayList<>();
    List<Long> made = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      FixedWindows.Start start = new FixedWindows.Start(in.readLong(), in.readBoolean());
      boolean isNext = i == 0 ? start.row() == 0 : start.row() > starts.getLast().row();
      made.add(in.readLong());
      if (!isNext || start.row() >= rows || made.getLast() < 0) {
        throw new IOException("These are not windows of " + rows + " rows.");
      }
      starts.add(start);
    }
    return new OfGroups(starts, made);
  }

  private static Noted noted(DataInputStream in, Sequence windows) throws IOException {
    WindowFacts facts = new WindowFacts(false);
    for (Run run : windows.runs()) {
      WindowFact fact = WindowFactCode.read(in);
      if (fact != null) {
        facts.note(((WindowRun) run).number(), fact);
      }
    }
    return new Noted(facts);
  }
}
