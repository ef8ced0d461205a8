package dev.penstock.spi.catalog;

import dev.penstock.split.PrunedFile;
import java.util.List;

/// The files of a table that a filter leaves, and those that it rules out.
///
/// @param files the files to read, in any order; may be empty
/// @param pruned the others, as far as they are known
public record CatalogFiles(List<CatalogFile> files, List<PrunedFile> pruned) {
  /// Copies the lists.
  public CatalogFiles {
    files = List.copyOf(files);
    pruned = List.copyOf(pruned);
  }
}
