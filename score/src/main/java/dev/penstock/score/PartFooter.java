package dev.penstock.score;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.Util;

/// What a part's file says of itself behind its rows.
final class PartFooter {
  /// The key of the run that made the file.
  static final String RUN = "penstock.run";

  /// The key of the rows that were left out: their number, and the name of their list.
  static final String SKIPPED = "penstock.skipped";

  private static final int TAIL = 8; // the length of the footer, and the format's mark

  private PartFooter() {}

  /// Reads it.
  ///
  /// @throws IOException if it is not a whole Parquet file
  static MadePart read(String name, byte[] file) throws IOException {
    int end = file.length - TAIL;
    int length =
        end < 0 ? -1 : ByteBuffer.wrap(file, end, 4).order(ByteOrder.LITTLE_ENDIAN).getInt();
    if (length < 0 || length > end) {
      throw new IOException("Cannot read '" + name + "': it is no whole Parquet file.");
    }
    FileMetaData footer;
    try {
      footer = Util.readFileMetaData(new ByteArrayInputStream(file, end - length, length));
    } catch (RuntimeException e) { // what is read first may be nonsense
      throw new IOException("Cannot read '" + name + "': its footer is damaged.", e);
    }
    Map<String, String> about = new TreeMap<>();
    List<KeyValue> keyValues = footer.getKey_value_metadata();
    for (KeyValue each : keyValues == null ? List.<KeyValue>of() : keyValues) {
      about.put(each.getKey(), each.getValue());
    }
    String[] skipped = about.getOrDefault(SKIPPED, "0 ").split(" ", 2);
    return new MadePart(
        name,
        footer.getNum_rows(),
        Long.parseLong(skipped[0]),
        skipped[1],
        file.length,
        Sha256.of(file));
  }
}
