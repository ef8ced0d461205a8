package dev.penstock.delta;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Makes tables with a Spark session that all test classes share. It starts with the first class
/// and stops with the JVM's last test.
final class SparkTables implements BeforeAllCallback {
  private static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension"),
          Map.entry(
              "spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog"),
          Map.entry("spark.sql.session.timeZone", "UTC"),
          Map.entry("spark.ui.enabled", "false"),
          Map.entry("spark.driver.host", "127.0.0.1"),
          Map.entry("spark.driver.bindAddress", "127.0.0.1"),
          // The tables are tiny: more tasks and generated code would only cost time.
          Map.entry("spark.sql.shuffle.partitions", "1"),
          Map.entry("spark.databricks.delta.snapshotPartitions", "1"),
          Map.entry("spark.sql.adaptive.enabled", "false"),
          Map.entry("spark.sql.ui.explainMode", "simple"),
          Map.entry("spark.sql.codegen.wholeStage", "false"),
          Map.entry("spark.sql.codegen.factoryMode", "NO_CODEGEN"));

  private @Nullable Session session;

  private record Session(SparkSession spark, Path folder) implements AutoCloseable {
    static Session start() {
      try {
        Path folder = Files.createTempDirectory("spark");
        SparkSession.Builder builder = SparkSession.builder().appName("tables").master("local[1]");
        SETTINGS.forEach(builder::config);
        return new Session(
            builder
                .config("spark.local.dir", folder.toString())
                .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toString())
                .getOrCreate(),
            folder);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      spark.stop();
      List<Path> paths;
      try (Stream<Path> walk = Files.walk(folder)) {
        paths = walk.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path path : paths) {
        Files.deleteIfExists(path);
      }
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    session =
        context
            .getStore(
                ExtensionContext.StoreScope.LAUNCHER_SESSION, ExtensionContext.Namespace.GLOBAL)
            .computeIfAbsent(Session.class, _ -> Session.start(), Session.class);
  }

  /// Returns a table that does not exist yet.
  ///
  /// @param folder the folder of the table
  SparkTable at(Path folder) {
    return new SparkTable(Objects.requireNonNull(session).spark, folder);
  }
}
