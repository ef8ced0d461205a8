import dev.penstock.spi.batch.BatchForm;
import dev.penstock.spi.format.FileFormat;
import org.jspecify.annotations.NullMarked;

/// Penstock's batches as Apache Arrow vectors, and Arrow IPC files as a format.
///
/// Start at [dev.penstock.arrow.ArrowBatches].
@NullMarked
module dev.penstock.arrow {
  exports dev.penstock.arrow;

  requires transitive dev.penstock;
  requires com.github.luben.zstd_jni;
  requires flatbuffers.java;
  requires org.apache.arrow.c;
  requires org.apache.arrow.format;
  requires transitive org.apache.arrow.memory.core;
  requires transitive org.apache.arrow.vector;
  requires static transitive org.jspecify;

  provides BatchForm with
      dev.penstock.arrow.VectorForm;
  provides FileFormat with
      dev.penstock.arrow.ipc.IpcFormat;
}
