package dev.penstock.internal.slices;

/// How values that slices give as places in a dictionary are copied with their rows.
public enum Texts {
  /// They are written out.
  WRITTEN_OUT,

  /// Their places are copied, and the dictionaries of all slices joined, as long as no other values
  /// come and no dictionary has more entries than rows came with it.
  JOINED,

  /// Their places are copied, and the dictionary is that of the slice. Rows are appended once after
  /// each time that they were cleared, ascending, and the copy is valid as long as the slice.
  LENT
}
