package dev.penstock.internal.decode;

import dev.penstock.transform.ColumnBlock;
import dev.penstock.transform.TransformContext;

/// What a pass wants of a block of rows. Workers call it, several at once.
public interface BlockNote {
  /// Takes it.
  void take(ColumnBlock block, TransformContext context);
}
