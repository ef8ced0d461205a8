package dev.penstock;

/// How to go on after a file whose contents cannot be read: a footer, header or sample that is
/// truncated, corrupt, or of a kind that is not supported.
public enum OnBadFile {
  /// Reading the dataset is an error that names the file. The default.
  FAIL,
  /// The file is left out, as if it were not there; a warning and [StructuredDataset#badFiles()]
  /// say so.
  SKIP
}
