package dev.penstock.storage;

/// What a store knows of a file or folder without opening it.
///
/// @param location where it is
/// @param bytes its size in bytes; 0 for a folder
/// @param folder whether it is a folder
public record FileEntry(Location location, long bytes, boolean folder) {}
