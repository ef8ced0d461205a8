package dev.penstock.cli;

import dev.penstock.StructuredDataset;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Where decoded columns are kept for later epochs and runs.
final class CacheOptions {
  private static final String DEFAULT_SIZE = "100GiB";

  /// What begins with a digit behind the last colon is meant as a size, and so is nothing, as from
  /// a variable that is not set.
  private static final Pattern SIZE = Pattern.compile("([0-9][^/\\\\]*)?");

  @Option(
      names = "--cache",
      paramLabel = "FOLDER[:SIZE]",
      description =
          "Keep decoded columns in this folder of a local disk, and read from there what it has."
              + " Made if it is not there. It holds up to SIZE, by default "
              + DEFAULT_SIZE
              + "; what was not used for longest is deleted first. It is for this user alone."
              + " Default: nothing is kept.")
  private @Nullable String given;

  @Option(
      names = "--cache-shared",
      description =
          "Several users share the folder of --cache: rows that others have written are taken as"
              + " they are, and the umask says who may read what is written. Default: a folder or"
              + " segment of another user, or that others may write, is an error.")
  private boolean isShared;

  boolean isGiven() {
    return given != null;
  }

  /// Returns the dataset with the cache, if one is given.
  ///
  /// @throws UsageException if the options are invalid for any data
  StructuredDataset apply(StructuredDataset dataset) {
    String whole = given;
    if (whole == null) {
      if (isShared) {
        throw new UsageException("Cannot use --cache-shared without --cache: name the folder.");
      }
      return dataset;
    }
    int colon = whole.lastIndexOf(':');
    boolean hasSize = colon >= 0 && SIZE.matcher(whole.substring(colon + 1)).matches();
    String place = hasSize ? whole.substring(0, colon) : whole;
    String size = hasSize ? whole.substring(colon + 1) : DEFAULT_SIZE;
    return UsageException.blame(
        () -> isShared ? dataset.sharedCache(place, size) : dataset.cache(place, size));
  }
}
