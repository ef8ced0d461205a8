package dev.penstock.internal.text;

/// A run of records of a file, like a row group in other formats.
///
/// @param end the place after it, in bytes of UTF-8
/// @param fileEnd the place up to which its reader may read the file, in bytes
record TextGroup(TextPlace start, long end, long rows, long fileEnd) {}
