package dev.penstock.internal.filter;

import java.util.function.LongUnaryOperator;

/// The name of a file, without folders, and the number of a row among all of its rows from that
/// among those that are not deleted.
public record FileRowNumbers(String file, LongUnaryOperator stored) {}
