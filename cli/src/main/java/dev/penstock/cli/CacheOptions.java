package dev.penstock.cli;

import dev.penstock.StructuredDataset;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Where decoded columns are kept for later epochs and runs.
final class CacheOptions {
  private static final String DEFAULT_SIZE = "100GiB";

  @Option(
      names = "--cache",
      paramLabel = "FOLDER",
      description =
          "Keep decoded columns in this folder of a local disk, and read from there what it has."
              + " Made if it is not there. Default: nothing is kept.")
  private @Nullable String folder;

  @Option(
      names = "--cache-size",
      paramLabel = "SIZE",
      description =
          "How much the folder of --cache may hold; what was not used for longest is deleted first."
              + " Default: "
              + DEFAULT_SIZE
              + ".")
  private @Nullable String size;

  boolean isGiven() {
    return folder != null;
  }

  /// Returns the dataset with the cache, if one is given.
  ///
  /// @throws UsageException if the options are invalid for any data
  StructuredDataset apply(StructuredDataset dataset) {
    String place = folder;
    if (place == null) {
      if (size != null) {
        throw new UsageException("Cannot use --cache-size without --cache: name the folder.");
      }
      return dataset;
    }
    if (place.startsWith("~")) {
      throw new UsageException(
          "Cannot use --cache '"
              + place
              + "': a leading ~ is the home folder to a shell, but neither in quotes nor behind"
              + " '='. Write './"
              + place
              + "' for a folder of that name.");
    }
    return UsageException.blame(() -> dataset.cache(place, size == null ? DEFAULT_SIZE : size));
  }
}
