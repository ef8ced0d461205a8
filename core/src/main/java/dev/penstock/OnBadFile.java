package dev.penstock;

/// What to do about a file whose contents cannot be read: its footer, header or sample is
/// truncated, corrupt or not supported.
public enum OnBadFile {
  /// Reading the dataset fails with an error that names the file. The default.
  FAIL,
  /// The file is skipped, as if it did not exist; a warning and [StructuredDataset#badFiles()] name
  /// it.
  SKIP
}
