package dev.penstock.internal.filter;

import java.util.function.LongUnaryOperator;

/// Where the rows of slices are in their file.
///
/// @param file the file's name, without folders
/// @param stored returns the number of a row among all rows of the file, from that among those that
///   are not deleted
public record FileRowNumbers(String file, LongUnaryOperator stored) {}
