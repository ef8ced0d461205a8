package dev.penstock.internal.table;

import dev.penstock.split.PartitionValue;
import dev.penstock.storage.Location;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// Reads `key=value` folders between a root and a file.
final class HiveFolders {
  private static final String NULL = "__HIVE_DEFAULT_PARTITION__";

  private HiveFolders() {}

  /// Returns the partition values of a file's folders below the root, outermost first.
  ///
  /// @param file the file
  /// @param below the part of its location after the root
  /// @throws IOException if two folders have one key
  static List<PartitionValue> of(Location file, String below) throws IOException {
    List<PartitionValue> values = new ArrayList<>();
    String[] names = below.split("/", -1);
    for (int i = 0; i < names.length - 1; i++) {
      int equals = names[i].indexOf('=');
      if (equals <= 0) {
        continue;
      }
      String key = decoded(names[i].substring(0, equals));
      String text = decoded(names[i].substring(equals + 1));
      if (values.stream().anyMatch(value -> value.key().equals(key))) {
        throw new IOException(
            "Cannot read the partitions of "
                + file
                + ": two of its folders are named '"
                + key
                + "=...'. Rename one, or start at the inner one.");
      }
      values.add(new PartitionValue(key, text.equals(NULL) ? null : text));
    }
    return values;
  }

  /// Decodes escapes like `%41` as UTF-8. A plus, and a percent without two hexadecimal digits,
  /// stay as they are.
  static String decoded(String name) {
    if (name.indexOf('%') < 0) {
      return name;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] encoded = name.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < encoded.length; i++) {
      if (encoded[i] == '%'
          && i + 2 < encoded.length
          && HexFormat.isHexDigit(encoded[i + 1])
          && HexFormat.isHexDigit(encoded[i + 2])) {
        bytes.write(
            HexFormat.fromHexDigit(encoded[i + 1]) << 4 | HexFormat.fromHexDigit(encoded[i + 2]));
        i += 2;
      } else {
        bytes.write(encoded[i]);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
