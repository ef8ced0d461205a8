package dev.penstock;

/// What becomes of a file that cannot be read because of what is in it: a footer, header or sample
/// that is truncated, corrupt, or of a kind that is not supported.
public enum OnBadFile {
  /// Reading the dataset is an error that names the file. The default.
  FAIL,
  /// The file is left out, as if it were not there; a warning and [StructuredDataset#badFiles()]
  /// say so.
  SKIP
}
