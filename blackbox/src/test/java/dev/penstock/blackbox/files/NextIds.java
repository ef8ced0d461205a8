package dev.penstock.blackbox.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import dev.penstock.transform.ColumnBlock;
import dev.penstock.transform.Transform;
import dev.penstock.transform.TransformContext;

/// A transform that keeps rows: adds the column `next`, which is `id` and one. It fails if it is
/// given what it has made.
public final class NextIds implements Transform {
  @Override
  public ColumnBlock apply(ColumnBlock block, TransformContext context) {
    assertThat(block.schema().find("next")).isEmpty();
    long[] ids = block.longs("id");
    long[] next = new long[ids.length];
    for (int row = 0; row < ids.length; row++) {
      next[row] = ids[row] + 1;
    }
    return block.with("next", next);
  }

  @Override
  public boolean keepsRows() {
    return true;
  }

  /// Checks a batch whose loader has this.
  public static void requireNext(Batch batch) {
    Tensor ids = batch.tensor("id");
    Tensor next = batch.tensor("next");
    for (int row = 0; row < batch.rowCount(); row++) {
      assertThat(next.getLong(row)).isEqualTo(ids.getLong(row) + 1);
    }
  }
}
