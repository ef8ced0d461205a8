package dev.penstock.examples.spark;

import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import dev.penstock.examples.LateModel;
import dev.penstock.examples.Rows;
import java.nio.ByteBuffer;

/// What a rank has learnt, and of which rows.
///
/// @param rows what it has read, in all epochs: all ranks' together are the table, as often as
///   there were epochs, only if every row was read once
/// @param model the model
public record Learnt(Rows rows, LateModel model) {
  /// Returns what a training starts with.
  ///
  /// @return no rows
  public static Learnt nothing() {
    return new Learnt(Rows.NONE, new LateModel());
  }

  /// Adds rows.
  ///
  /// @param batch the rows
  /// @return these and the earlier ones, with the same model
  public Learnt seen(Batch batch) {
    Tensor date = batch.tensor("date");
    Tensor delay = batch.tensor("delay");
    Tensor distance = batch.tensor("distance");
    long digest = 0;
    for (int row = 0; row < batch.rowCount(); row++) {
      long hash = Rows.mixed(date.getLong(row)) + delay.getLong(row);
      digest += Rows.mixed(Rows.mixed(hash) + distance.getLong(row));
    }
    return new Learnt(rows.and(new Rows(batch.rowCount(), digest)), model);
  }

  /// Returns this for a checkpoint.
  ///
  /// @return bytes for [#of(byte[])]
  public byte[] toBytes() {
    byte[] learnt = model.toBytes();
    return ByteBuffer.allocate(2 * Long.BYTES + learnt.length)
        .putLong(rows.count())
        .putLong(rows.digest())
        .put(learnt)
        .array();
  }

  /// Reads what was saved.
  ///
  /// @param bytes from [#toBytes()]
  /// @return the same
  public static Learnt of(byte[] bytes) {
    ByteBuffer saved = ByteBuffer.wrap(bytes);
    Rows rows = new Rows(saved.getLong(), saved.getLong());
    byte[] model = new byte[saved.remaining()];
    saved.get(model);
    return new Learnt(rows, LateModel.of(model));
  }
}
