package dev.penstock.internal.slices;

/// How dictionary-coded values are copied with their rows.
public enum Texts {
  WRITTEN_OUT,

  /// Their codes are copied, and the dictionaries of all slices are joined, as long as all slices
  /// are coded and no dictionary has more entries than the rows copied with it.
  JOINED,

  /// Their codes are copied, and the dictionary is that of the slice. Rows are appended only once
  /// after each clear(), in ascending order, and the copy is valid as long as the slice.
  LENT
}
