package dev.penstock.report;

/// An option and its value, for people to read.
///
/// @param name the name
/// @param value the value
public record Option(String name, String value) {}
