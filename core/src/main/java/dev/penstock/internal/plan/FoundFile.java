package dev.penstock.internal.plan;

import dev.penstock.format.FileFormat;
import dev.penstock.storage.FileEntry;
import dev.penstock.storage.Storage;

/// A data file that was listed, its footer not read yet.
///
/// @param entry where it is and its size
/// @param storage the store that has it
/// @param format what it is written in
public record FoundFile(FileEntry entry, Storage storage, FileFormat format) {}
