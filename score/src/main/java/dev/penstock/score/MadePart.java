package dev.penstock.score;

/// A part that is there.
///
/// @param name the name of its file
/// @param rows the rows in it
/// @param skipped the rows that were left out of it
/// @param skippedFile the name of their list; empty if there are none
/// @param bytes the bytes of the file
/// @param sha256 the digest of the file
record MadePart(
    String name, long rows, long skipped, String skippedFile, long bytes, String sha256) {}
