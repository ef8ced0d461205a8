package dev.penstock.steps;

import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonTree;
import java.util.HexFormat;

/// A digest of the rows that a rank was given in a step: of where they are stored, not of their
/// values.
///
/// It is the XXH64 of, for each row in the order of the batch: the XXH64 of the file's name in
/// UTF-8 (behind the common folder of the dataset's files), the row's number as it is stored and
/// the one after it, and for elements of a pack the first, and how many; each 8 bytes,
/// little-endian. So it is the same in every version of Penstock, in Python, and wherever the
/// dataset lies.
///
/// Immutable.
///
/// @param epoch the epoch, counted from 0
/// @param step the step, counted from 0 in the epoch
/// @param rank the rank
/// @param world how many ranks there were
/// @param rows how many rows its batch had
/// @param digest the digest
public record StepDigest(long epoch, long step, int rank, int world, int rows, long digest) {
  private static final String SUBJECT = "the digest of a step";
  private static final long COUNT_MAX = 1L << 53; // as DataLoader.setEpoch has it

  /// Reads a line of a log of steps. It may have more fields than [#toJson] writes.
  ///
  /// @param json the line
  /// @return the digest
  /// @throws IllegalArgumentException if the text is not a line of a step log
  public static StepDigest parse(String json) {
    JsonFields fields = JsonTree.read(SUBJECT, json);
    long epoch = fields.whole("epoch", 0, COUNT_MAX);
    long step = fields.whole("step", 0, COUNT_MAX);
    int world = (int) fields.whole("world", 1, Integer.MAX_VALUE);
    int rank = (int) fields.whole("rank", 0, world - 1L);
    int rows = (int) fields.whole("rows", 0, Integer.MAX_VALUE);
    return new StepDigest(epoch, step, rank, world, rows, digest(fields.text("digest")));
  }

  private static long digest(String text) {
    if (!text.matches("[0-9a-f]{16}")) {
      throw new IllegalArgumentException(
          "Cannot read " + SUBJECT + ": digest is '" + text + "' but expected 16 hex digits.");
    }
    return HexFormat.fromHexDigitsToLong(text);
  }

  /// Returns the digest as it is printed.
  ///
  /// @return 16 hex digits
  public String hex() {
    return HexFormat.of().toHexDigits(digest);
  }

  /// Writes the line of a log of steps.
  ///
  /// @return an object of JSON, without a line break
  public String toJson() {
    return "{\"epoch\":"
        + epoch
        + ",\"step\":"
        + step
        + ",\"rank\":"
        + rank
        + ",\"world\":"
        + world
        + ",\"rows\":"
        + rows
        + ",\"digest\":\""
        + hex()
        + "\"}";
  }
}
