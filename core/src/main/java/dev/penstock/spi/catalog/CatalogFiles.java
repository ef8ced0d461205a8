package dev.penstock.spi.catalog;

import dev.penstock.split.PrunedFile;
import java.util.List;

/// The files of a table that a filter keeps, and those that it rules out.
///
/// @param files the files to read, in any order; may be empty
/// @param pruned the files ruled out, as far as they are known
public record CatalogFiles(List<CatalogFile> files, List<PrunedFile> pruned) {
  /// Copies the lists.
  public CatalogFiles {
    files = List.copyOf(files);
    pruned = List.copyOf(pruned);
  }
}
