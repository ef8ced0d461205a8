package dev.penstock.format;

import java.lang.foreign.MemorySegment;

/// The distinct variable-width values that a coded [ColumnSlice] points at.
///
/// Slices that share a dictionary share the same instance, so its identity tells when it changed.
///
/// **Ownership.** As the slice's.
///
/// @param size how many values
/// @param values their bytes, one after another
/// @param offsets `size + 1` 32-bit offsets into `values`, rising
public record Dictionary(int size, MemorySegment values, MemorySegment offsets) {}
