package dev.penstock.internal.plan;

/// How far rows move within the files of a dataset.
///
/// @param windowRows the rows of a shuffle window; 0 where rows keep their order within FileSplits
/// @param interleave how many FileSplits contribute to a window at a time
public record Reach(boolean isPermuted, int windowRows, int interleave) {
  public static final Reach NONE = new Reach(false, 0, 1);
  public static final Reach SPLITS = new Reach(true, 0, 1);

  public static Reach window(int rows, int interleave) {
    return new Reach(true, rows, interleave);
  }

  public boolean isInWindows() {
    return windowRows > 0;
  }
}
