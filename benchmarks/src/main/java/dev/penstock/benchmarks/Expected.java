package dev.penstock.benchmarks;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What the generator of the data says a workload must deliver.
///
/// @param rows the rows of an epoch
/// @param checksum the [Checksum] over them, in hexadecimal
/// @param entry all that the manifest says, as JSON
record Expected(long rows, String checksum, String entry) {
  /// Reads a workload's entry of `manifest.json`.
  ///
  /// @throws IOException if there is no manifest, or no such entry
  static Expected read(Path data, Workload workload) throws IOException {
    Path manifest = data.resolve("manifest.json");
    Pattern entry =
        Pattern.compile(
            "\""
                + workload.manifestKey()
                + "\": \\{\\s*\"rows\": (\\d+),\\s*\"checksum\": \"(\\w+)\"[^}]*\\}");
    Matcher found = entry.matcher(Files.readString(manifest));
    if (!found.find()) {
      throw new IOException(
          "Cannot measure workload '"
              + workload.key()
              + "': no such entry. Generate its data. ["
              + manifest
              + "]");
    }
    return new Expected(Long.parseLong(found.group(1)), found.group(2), found.group());
  }

  /// Returns a number of the entry.
  BigDecimal number(String name) {
    Matcher found = Pattern.compile("\"" + name + "\": (-?[0-9.eE+-]+)").matcher(entry);
    if (!found.find()) {
      throw new IllegalArgumentException("No '" + name + "' in the manifest's entry " + entry);
    }
    return new BigDecimal(found.group(1));
  }

  /// Returns how many rows the workload looks at, which are more than it delivers behind a filter.
  long rowsIn() {
    return entry.contains("\"rows_in\"") ? number("rows_in").longValueExact() : rows;
  }
}
