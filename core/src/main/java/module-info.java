import dev.penstock.ReportWriter;
import dev.penstock.internal.request.TokenizerModule;
import dev.penstock.spi.batch.BatchForm;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.model.ModelFormat;
import dev.penstock.spi.storage.Storage;
import org.jspecify.annotations.NullMarked;

/// Penstock core: turns table files into training batches.
///
/// Start at [dev.penstock.StructuredDataset] and [dev.penstock.DataLoader].
@NullMarked
@SuppressWarnings("module") // dev.penstock.serve is built later
module dev.penstock {
  exports dev.penstock;
  exports dev.penstock.advice;
  exports dev.penstock.batch;
  exports dev.penstock.compose;
  exports dev.penstock.data;
  exports dev.penstock.device;
  exports dev.penstock.dlpack;
  exports dev.penstock.model;
  exports dev.penstock.options;
  exports dev.penstock.sample;
  exports dev.penstock.split;
  exports dev.penstock.stats;
  exports dev.penstock.steps;
  exports dev.penstock.filter;
  exports dev.penstock.format;
  exports dev.penstock.schema;
  exports dev.penstock.storage;
  exports dev.penstock.transform;

  // For modules that add a format, store, catalog, output format or framework.
  exports dev.penstock.spi.batch;
  exports dev.penstock.spi.catalog;
  exports dev.penstock.spi.fields;
  exports dev.penstock.spi.format;
  exports dev.penstock.spi.model;
  exports dev.penstock.spi.storage;

  // For modules of ours: what is asked for at a door, JSON, Java objects of values, blocks of LZ4.
  exports dev.penstock.internal.request to
      dev.penstock.cli,
      dev.penstock.report,
      dev.penstock.serve,
      dev.penstock.tokens;
  exports dev.penstock.internal.lz4 to
      dev.penstock.arrow;
  exports dev.penstock.internal.document to
      dev.penstock.cli,
      dev.penstock.score,
      dev.penstock.serve;
  exports dev.penstock.internal.boxing to
      dev.penstock.score;

  requires com.github.luben.zstd_jni;
  requires dec; // Brotli
  requires java.net.http;
  requires org.slf4j;
  requires org.tukaani.xz;
  requires snappy.java;
  requires parquet.format.structures;
  requires static com.google.errorprone.annotations; // of the compiler's checks
  requires static jdk.jfr; // where it is absent there are no events
  requires static jdk.management; // where it is absent the memory of the machine is not known
  requires tools.jackson.core; // JSON of fitted transforms and of states
  requires static transitive org.jspecify;

  uses BatchForm;
  uses ReportWriter;
  uses TokenizerModule;
  uses FileFormat;
  uses ModelFormat;
  uses Storage;
  uses dev.penstock.spi.catalog.TableFormat;

  provides FileFormat with
      dev.penstock.internal.csv.CsvFormat,
      dev.penstock.internal.json.JsonFormat,
      dev.penstock.internal.json.JsonLinesFormat,
      dev.penstock.internal.parquet.ParquetFormat;
  provides Storage with
      dev.penstock.internal.http.HttpStorage,
      dev.penstock.internal.hub.HubStorage,
      dev.penstock.internal.local.LocalStorage;
}
