package dev.penstock.internal.filter;

import java.util.function.LongUnaryOperator;

/// The name and the rows of a file, for a filter.
///
/// @param file the file's name, without folders
/// @param stored turns the number of a row among those that were not deleted into its number among
///   all rows of the file
public record FileRowNumbers(String file, LongUnaryOperator stored) {}
