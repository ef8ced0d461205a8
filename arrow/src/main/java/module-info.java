import dev.penstock.batch.BatchForm;
import org.jspecify.annotations.NullMarked;

/// Penstock's batches as Apache Arrow vectors.
///
/// Start at [dev.penstock.arrow.ArrowBatches].
@NullMarked
module dev.penstock.arrow {
  exports dev.penstock.arrow;

  requires transitive dev.penstock;
  requires transitive org.apache.arrow.memory.core;
  requires transitive org.apache.arrow.vector;
  requires static transitive org.jspecify;

  provides BatchForm with
      dev.penstock.arrow.VectorForm;
}
