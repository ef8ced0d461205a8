package dev.penstock.examples.spark;

import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import dev.penstock.examples.LateModel;
import java.nio.ByteBuffer;

/// What a rank has learnt, and of which rows.
///
/// @param rows how many it has read, in all epochs
/// @param checksum the sum of a hash of each of these rows: those of all ranks add up to the
///   table's, for each epoch, only if every row was read once
/// @param model the model
public record Learnt(long rows, long checksum, LateModel model) {
  /// Returns what a training starts with.
  ///
  /// @return no rows
  public static Learnt nothing() {
    return new Learnt(0, 0, new LateModel());
  }

  /// Adds rows.
  ///
  /// @param batch the rows
  /// @return these and the earlier ones, with the same model
  public Learnt seen(Batch batch) {
    Tensor date = batch.tensor("date");
    Tensor delay = batch.tensor("delay");
    Tensor distance = batch.tensor("distance");
    long sum = checksum;
    for (int row = 0; row < batch.rowCount(); row++) {
      sum += mixed(mixed(mixed(date.getLong(row)) + delay.getLong(row)) + distance.getLong(row));
    }
    return new Learnt(rows + batch.rowCount(), sum, model);
  }

  /// The finalizer of SplitMix64.
  private static long mixed(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /// Returns this for a checkpoint.
  ///
  /// @return bytes for [#of(byte[])]
  public byte[] toBytes() {
    byte[] learnt = model.toBytes();
    return ByteBuffer.allocate(2 * Long.BYTES + learnt.length)
        .putLong(rows)
        .putLong(checksum)
        .put(learnt)
        .array();
  }

  /// Reads what was saved.
  ///
  /// @param bytes from [#toBytes()]
  /// @return the same
  public static Learnt of(byte[] bytes) {
    ByteBuffer saved = ByteBuffer.wrap(bytes);
    long rows = saved.getLong();
    long checksum = saved.getLong();
    byte[] model = new byte[saved.remaining()];
    saved.get(model);
    return new Learnt(rows, checksum, LateModel.of(model));
  }
}
