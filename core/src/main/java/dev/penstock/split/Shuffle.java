package dev.penstock.split;

import dev.penstock.internal.choice.Sentence;

/// How far rows may move from their position in the files.
///
/// **Order.** A function of the seed and the epoch alone.
public sealed interface Shuffle {
  /// Rows come in file order.
  record None() implements Shuffle {
    @Override
    public String toString() {
      return "none";
    }
  }

  /// The [FileSplit]s are permuted; within one, rows keep their order.
  record Splits() implements Shuffle {
    @Override
    public String toString() {
      return "splits";
    }
  }

  /// As [Splits], and rows are permuted within windows, which are runs of rows of the sequence.
  /// Several FileSplits take turns in filling a window, some row groups at a time, so a window
  /// mixes FileSplits if it is larger than their row groups.
  ///
  /// @param rows the rows of a window, at least 1; the last one of a rank may have fewer
  /// @param interleave how many FileSplits take turns, at least 1
  record Window(int rows, int interleave) implements Shuffle {
    /// How many FileSplits take turns by default.
    public static final int INTERLEAVE = 4;

    /// Checks the numbers.
    public Window {
      if (rows < 1 || interleave < 1) {
        throw new IllegalArgumentException(
            Sentence.of(
                "A shuffle window must have at least 1 row and 1 FileSplit at a time, got %s and"
                    + " %s.",
                rows, interleave));
      }
    }

    /// {@return a copy with another number of FileSplits that take turns}
    ///
    /// @param count how many, at least 1
    public Window interleave(int count) {
      return new Window(rows, count);
    }

    @Override
    public String toString() {
      return "window:" + rows + (interleave == INTERLEAVE ? "" : ":" + interleave);
    }
  }

  /// Each row may come at any place: an epoch is a permutation of all rows that are left of filter
  /// and deletes. It needs no list of rows.
  ///
  /// The dataset needs a cache that holds all of its columns, or as many bytes of rows, see
  /// [Passes] and [dev.penstock.StructuredDataset#cache]. Where a filter has to test rows, its
  /// columns are read first. In a mixture each source keeps its places, whose rows are permuted; it
  /// takes one pass.
  ///
  /// @param passes how rows are put in order
  record Global(Passes passes) implements Shuffle {
    /// {@return a copy with another number of passes} The order of the rows is the same.
    ///
    /// @param count the passes
    public Global passes(Passes count) {
      return new Global(count);
    }

    @Override
    public String toString() {
      return "global" + passes.suffix;
    }
  }

  /// How often an epoch of a [Global] or [Torch] shuffle goes over the rows. It decides how fast it
  /// is, not the order.
  enum Passes {
    /// [#TWO] where the decoded columns take more than half of the memory of the machine or
    /// container, or more than 10 times what the loader's memory lets a worker put in order at
    /// once; else [#ONE].
    BY_SIZE(""),

    /// Rows are read from the cache by number. What it does not have is decoded before the first
    /// batch. Fast where the cache stays in memory.
    ONE(":1"),

    /// Rows are read in file order and put on piles in the folder of the cache, by their places;
    /// then the rows of one pile after another are put in order. So the disk reads and writes large
    /// parts, each row once. Piles take as much of the cache as the decoded columns, until the
    /// epoch ends.
    TWO(":2");

    private final String suffix;

    Passes(String suffix) {
      this.suffix = suffix;
    }
  }

  /// As [Global], in the order of torch's `RandomSampler` with a generator that has the seed, plus
  /// the epoch as its `DistributedSampler` adds it. It takes 8 bytes of the heap for each row, 16
  /// with two passes.
  ///
  /// @param passes how rows are put in order
  record Torch(Passes passes) implements Shuffle {
    /// {@return a copy with another number of passes} The order of the rows is the same.
    ///
    /// @param count the passes
    public Torch passes(Passes count) {
      return new Torch(count);
    }

    @Override
    public String toString() {
      return "torch" + passes.suffix;
    }
  }

  /// {@return [None]}
  static Shuffle none() {
    return new None();
  }

  /// {@return [Splits]}
  static Shuffle splits() {
    return new Splits();
  }

  /// {@return a [Window] to which [Window#INTERLEAVE] FileSplits contribute at a time}
  ///
  /// @param rows the rows of a window, at least 1
  static Window window(int rows) {
    return new Window(rows, Window.INTERLEAVE);
  }

  /// {@return [Global], with [Passes#BY_SIZE]}
  static Global global() {
    return new Global(Passes.BY_SIZE);
  }

  /// {@return [Torch], with [Passes#BY_SIZE]}
  static Torch torch() {
    return new Torch(Passes.BY_SIZE);
  }

  /// {@return the choice of a text form}
  ///
  /// @param text `none`, `splits`, `window:ROWS`, `window:ROWS:INTERLEAVE`, `global` or `torch`;
  ///   the last two also with `:1` or `:2` for the number of [Passes]
  /// @throws IllegalArgumentException for any other text
  static Shuffle parse(String text) {
    return switch (text) {
      case "none" -> none();
      case "splits" -> splits();
      case "global" -> global();
      case "global:1" -> global().passes(Passes.ONE);
      case "global:2" -> global().passes(Passes.TWO);
      case "torch" -> torch();
      case "torch:1" -> torch().passes(Passes.ONE);
      case "torch:2" -> torch().passes(Passes.TWO);
      default -> {
        String[] parts = text.split(":", -1);
        if (!parts[0].equals("window") || parts.length < 2 || parts.length > 3) {
          throw wrong(text);
        }
        try {
          Window window = window(Integer.parseInt(parts[1]));
          yield parts.length == 2 ? window : window.interleave(Integer.parseInt(parts[2]));
        } catch (NumberFormatException _) {
          throw wrong(text);
        }
      }
    };
  }

  private static IllegalArgumentException wrong(String text) {
    return new IllegalArgumentException(
        "Cannot shuffle by '"
            + text
            + "': expected 'none', 'splits', 'window:ROWS', 'global' or 'torch', the last two also with"
            + " ':1' or ':2' passes.");
  }
}
