package dev.penstock.split;

/// What a table's catalog knows of a data file beyond its place and size; each module that reads
/// such tables has its own.
///
/// Immutable, and equal where all of it is.
public interface FileDetails {}
