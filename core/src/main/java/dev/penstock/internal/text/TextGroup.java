package dev.penstock.internal.text;

/// A run of records of a file: what is a row group elsewhere.
///
/// @param start where it starts
/// @param end the place behind it, in bytes of UTF-8
/// @param rows its records
/// @param fileEnd the place in the file up to which a reader of it may read, in bytes
public record TextGroup(TextPlace start, long end, long rows, long fileEnd) {}
