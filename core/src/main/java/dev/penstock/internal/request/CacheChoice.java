package dev.penstock.internal.request;

import java.util.regex.Pattern;

/// Where decoded columns are kept, and how much of them.
///
/// @param folder the folder, as it was given
/// @param size the most, as a text with a unit
public record CacheChoice(String folder, String size) {
  static final Form<CacheChoice> FORM =
      Form.parsed("text", "FOLDER or FOLDER:SIZE", CacheChoice::parse);

  /// What begins with a digit behind the last colon is meant as a size, and so is nothing, as from
  /// a variable that is not set.
  private static final Pattern SIZE = Pattern.compile("([0-9][^/\\\\]*)?");

  private static CacheChoice parse(String text) {
    int colon = text.lastIndexOf(':');
    return colon >= 0 && SIZE.matcher(text.substring(colon + 1)).matches()
        ? new CacheChoice(text.substring(0, colon), text.substring(colon + 1))
        : new CacheChoice(text, "100GiB");
  }

  @Override
  public String toString() {
    return folder + ":" + size;
  }
}
