package dev.penstock.delta.internal.log;

import io.delta.kernel.data.ColumnVector;
import io.delta.kernel.data.ColumnarBatch;
import io.delta.kernel.engine.ExpressionHandler;
import io.delta.kernel.expressions.Expression;
import io.delta.kernel.expressions.ExpressionEvaluator;
import io.delta.kernel.expressions.Literal;
import io.delta.kernel.expressions.Predicate;
import io.delta.kernel.expressions.PredicateEvaluator;
import io.delta.kernel.types.BooleanType;
import io.delta.kernel.types.DataType;
import io.delta.kernel.types.StructType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// The expressions that the replay of a log needs: constants. Files are pruned by Penstock's own
/// filter, so Delta's library gets no predicate to evaluate.
final class LogExpressions implements ExpressionHandler {
  @Override
  public ExpressionEvaluator getEvaluator(StructType input, Expression expression, DataType type) {
    if (!(expression instanceof Literal literal)) {
      throw new UnsupportedOperationException("Cannot evaluate " + expression + ".");
    }
    return new ExpressionEvaluator() {
      @Override
      public ColumnVector eval(ColumnarBatch rows) {
        return new ValueVector(type, Collections.nCopies(rows.getSize(), literal.getValue()));
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public PredicateEvaluator getPredicateEvaluator(StructType input, Predicate predicate) {
    throw new UnsupportedOperationException("Cannot evaluate " + predicate + ".");
  }

  @Override
  public ColumnVector createSelectionVector(boolean[] values, int from, int to) {
    List<Boolean> selected = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      selected.add(values[i]);
    }
    return new ValueVector(BooleanType.BOOLEAN, selected);
  }
}
