import dev.penstock.spi.format.FileFormat;
import org.jspecify.annotations.NullMarked;

/// Apache Avro files as a format.
@NullMarked
module dev.penstock.avro {
  exports dev.penstock.avro;

  requires com.github.luben.zstd_jni;
  requires transitive dev.penstock;
  requires org.apache.avro;
  requires org.apache.commons.compress;
  requires snappy.java;
  requires static transitive org.jspecify;

  provides FileFormat with
      dev.penstock.avro.AvroFormat;
}
