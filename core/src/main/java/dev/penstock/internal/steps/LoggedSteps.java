package dev.penstock.internal.steps;

import dev.penstock.steps.StepDigest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// The lines of logs of steps.
///
/// **Threads.** One at a time.
final class LoggedSteps {
  private final SortedMap<Long, SortedMap<Integer, OfRank>> epochs = new TreeMap<>();
  private final List<Unread> unread = new ArrayList<>();
  private long repeated;

  /// A line.
  ///
  /// @param line its number, counted from 1
  record Line(StepDigest step, Path file, long line) {
    String place() {
      return "[" + file + ", line " + line + "]";
    }
  }

  /// A line that cannot be read.
  ///
  /// @param why as a sentence
  record Unread(Path file, long line, String why) {}

  /// The lines of a rank in an epoch.
  static final class OfRank {
    private final SortedMap<Long, Line> bySteps = new TreeMap<>();
    private final List<Line> others = new ArrayList<>(); // that say something else of such a step
    private final List<Line> all = new ArrayList<>(); // as they were read
    // The lowest step of later lines of the same file; filled when first asked, behind all reading.
    private final Map<Line, Long> lowestBehind = new HashMap<>();

    SortedMap<Long, Line> bySteps() {
      return bySteps;
    }

    List<Line> others() {
      return others;
    }

    /// Returns whether the run went back later: a later line of the file is of this step or of one
    /// before.
    boolean wentBackBehind(Line line) {
      if (lowestBehind.isEmpty()) {
        Map<Path, Long> lowest = new HashMap<>();
        for (Line each : all.reversed()) {
          lowestBehind.put(each, lowest.getOrDefault(each.file, Long.MAX_VALUE));
          lowest.merge(each.file, each.step.step(), Math::min);
        }
      }
      return lowestBehind.getOrDefault(line, Long.MAX_VALUE) <= line.step.step();
    }

    /// Adds a line; returns whether it says something new. If not, it takes the place of the
    /// earlier one, behind which the run may have gone back.
    private boolean add(Line line) {
      all.add(line);
      Line known = bySteps.get(line.step.step());
      if (known == null || known.step.equals(line.step)) {
        bySteps.put(line.step.step(), line);
        return known == null;
      }
      boolean isNew = !others.removeIf(other -> other.step.equals(line.step));
      others.add(line);
      return isNew;
    }
  }

  void read(Path file) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
      String text = lines.readLine();
      for (long number = 1; text != null; number++) {
        if (!text.isBlank()) {
          add(text, file, number);
        }
        text = lines.readLine();
      }
    } catch (FileSystemException e) {
      throw e; // which names the file
    } catch (IOException e) {
      throw new IOException(e.getMessage() + " [" + file + "]", e);
    }
  }

  private void add(String text, Path file, long number) {
    try {
      StepDigest step = StepDigest.parse(text);
      boolean isNew =
          epochs
              .computeIfAbsent(step.epoch(), _ -> new TreeMap<>())
              .computeIfAbsent(step.rank(), _ -> new OfRank())
              .add(new Line(step, file, number));
      repeated += isNew ? 0 : 1;
    } catch (IllegalArgumentException e) {
      unread.add(new Unread(file, number, String.valueOf(e.getMessage())));
    }
  }

  /// Returns the lines by epoch and rank.
  SortedMap<Long, SortedMap<Integer, OfRank>> epochs() {
    return epochs;
  }

  List<Unread> unread() {
    return unread;
  }

  long repeated() {
    return repeated;
  }

  /// Returns whether a rank has lines of a later epoch, so that it was through with this one.
  boolean isThrough(long epoch, int rank) {
    return epochs.tailMap(epoch + 1).values().stream().anyMatch(ranks -> ranks.containsKey(rank));
  }
}
