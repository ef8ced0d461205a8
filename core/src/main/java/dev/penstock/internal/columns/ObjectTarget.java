package dev.penstock.internal.columns;

import dev.penstock.batch.NullValueException;
import dev.penstock.internal.boxing.ObjectMaker;
import dev.penstock.internal.boxing.ObjectMaker.BadValueException;
import dev.penstock.internal.columns.ColumnPlan.ObjectPlan;
import dev.penstock.internal.slices.Rows;
import dev.penstock.internal.slices.Validity;
import dev.penstock.schema.DataType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A column that becomes Java objects.
public final class ObjectTarget implements SliceTarget {
  private final ObjectPlan plan;
  private final int source;
  private final ObjectMaker maker;
  private @Nullable MemorySegment validity;
  private Rows rows;

  @SuppressWarnings("NullAway.Init") // prepare() comes before copy()
  ObjectTarget(ObjectPlan plan, int source) {
    this.plan = plan;
    this.source = source;
    this.maker = plan.isLate() ? ObjectMaker.ofLateTexts() : ObjectMaker.of(plan.field().type());
  }

  public static @Nullable Object[] newArray(DataType type, int length) {
    return switch (type) {
      case DataType.Utf8 _ -> new String[length];
      case DataType.Decimal _ -> new BigDecimal[length];
      case DataType.Uuid _ -> new UUID[length];
      case DataType.Binary _, DataType.FixedBinary _, DataType.Interval _ -> new byte[length][];
      case DataType.List _, DataType.Map _ -> new List<?>[length];
      case DataType.Struct _ -> new Map<?, ?>[length];
      case DataType.Bool _,
          DataType.Int _,
          DataType.Floating _,
          DataType.Date _,
          DataType.Time _,
          DataType.Timestamp _,
          DataType.Variant _,
          DataType.Null _,
          DataType.Unsupported _ ->
          new Object[length];
    };
  }

  @Override
  public void prepare(Rows rows) {
    this.validity = rows.column(source).validity();
    this.rows = rows;
    maker.bind(rows.column(source));
  }

  @Override
  public void copy(int from, int count, PartialBatch batch, int to) throws IOException {
    switch (plan.nulls()) {
      case NullHandling.Refuse _ -> {
        NullError error = NullError.in(rows, plan.name(), NullValueException::ofPolicy);
        NullError.requireNone(validity, from, count, error);
        make(from, count, batch, to);
      }
      case NullHandling.Keep _ -> make(from, count, batch, to);
      case NullHandling.ReplaceText(String text) -> {
        make(from, count, batch, to);
        if (validity != null) {
          fill(text, validity, from, count, batch.objects[plan.index()], to);
        }
      }
    }
  }

  private void make(int from, int count, PartialBatch batch, int to) throws IOException {
    try {
      batch.addObjectBytes(maker.make(from, count, batch.objects[plan.index()], to));
    } catch (BadValueException e) {
      throw e.in(plan.name(), rows.origin(faulty(from, count)));
    }
  }

  /// Returns the first row that cannot become an object. A slice that fails is decoded again row by
  /// row, but the rows of a transform come together.
  private int faulty(int from, int count) {
    @Nullable Object[] object = newArray(plan.field().type(), 1);
    int row = from;
    try {
      for (; row < from + count - 1; row++) {
        maker.make(row, 1, object, 0);
      }
    } catch (BadValueException _) {
      // This is the row.
    }
    return row;
  }

  private static void fill(
      String text, MemorySegment validity, int from, int count, @Nullable Object[] made, int to) {
    int end = from + count;
    int row = Validity.nextNull(validity, from, end);
    while (row < end) {
      made[to + row - from] = text;
      row = Validity.nextNull(validity, row + 1, end);
    }
  }
}
