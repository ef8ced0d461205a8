package dev.penstock.internal.table;

import dev.penstock.split.PartitionValue;
import dev.penstock.storage.Location;
import dev.penstock.storage.Printable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;

/// Reads the `key=value` folders of a file's path.
final class HiveFolders {
  private static final String NULL = "__HIVE_DEFAULT_PARTITION__";

  private HiveFolders() {}

  /// Returns the partition values of the folders in a path, outermost first; two of one key are an
  /// error.
  static List<PartitionValue> of(Location file, String path) throws IOException {
    List<PartitionValue> values = new ArrayList<>();
    for (String name : folders(path)) {
      int equals = name.indexOf('=');
      if (equals <= 0) {
        continue;
      }
      String key = decoded(name.substring(0, equals));
      String text = decoded(name.substring(equals + 1));
      if (values.stream().anyMatch(value -> value.key().equals(key))) {
        throw new IOException(
            ("Cannot read the partitions of %s: two of its folders are named"
                    + " '%s=...'. Rename one, or name a folder between them instead of the"
                    + " file.")
                .formatted(file, Printable.of(key)));
      }
      values.add(new PartitionValue(key, text.equals(NULL) ? null : text));
    }
    return values;
  }

  /// Returns the folders that a file is in: not those that a `..` leaves again.
  private static Deque<String> folders(String path) {
    Deque<String> folders = new ArrayDeque<>();
    String[] names = path.split("/", -1);
    for (int i = 0; i < names.length - 1; i++) {
      if (names[i].equals("..")) {
        folders.pollLast();
      } else if (!names[i].equals(".")) {
        folders.addLast(names[i]);
      }
    }
    return folders;
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
