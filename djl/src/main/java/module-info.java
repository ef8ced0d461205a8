import dev.penstock.spi.model.ModelFormat;
import org.jspecify.annotations.NullMarked;

/// Penstock's batches as arrays of the Deep Java Library.
///
/// Start at [dev.penstock.djl.DjlDataset] and [dev.penstock.djl.DjlBatches], or at
/// [dev.penstock.djl.DjlModel] to score tables.
@NullMarked
module dev.penstock.djl {
  exports dev.penstock.djl;

  requires transitive ai.djl.api;
  requires static ai.djl.pytorch_engine; // without it arrays are copies
  requires transitive dev.penstock;
  requires static transitive org.jspecify;
  requires org.slf4j;

  provides ModelFormat with
      dev.penstock.djl.DjlFormat;
}
