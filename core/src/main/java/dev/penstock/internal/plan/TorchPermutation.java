package dev.penstock.internal.plan;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.sample.Generator;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The order in which torch's samplers visit rows: `torch.randperm` of a generator with the seed,
/// plus the epoch as `torch.utils.data.DistributedSampler` adds it. In epoch 0 it is that of a
/// `RandomSampler` whose generator has the seed.
///
/// Takes 8 bytes for each row, and 8 more when places are asked for.
public final class TorchPermutation implements RowPermutation {
  private final long[] rows;

  @GuardedBy("this")
  private long @Nullable [] places;

  public TorchPermutation(long size, long seed, long epoch) {
    this.rows = new Generator(seed + epoch).randperm(size);
  }

  @Override
  public long size() {
    return rows.length;
  }

  @Override
  public long[] rows(long firstPlace, int count) {
    return part(rows, firstPlace, count);
  }

  @Override
  public long[] places(long firstRow, int count) {
    return part(places(), firstRow, count);
  }

  private static long[] part(long[] all, long first, int count) {
    return Arrays.copyOfRange(all, Math.toIntExact(first), Math.toIntExact(first + count));
  }

  private synchronized long[] places() {
    long[] known = places;
    if (known == null) {
      known = new long[rows.length];
      for (int place = 0; place < rows.length; place++) {
        known[(int) rows[place]] = place;
      }
      places = known;
    }
    return known;
  }
}
