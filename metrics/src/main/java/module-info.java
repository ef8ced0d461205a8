import org.jspecify.annotations.NullMarked;

/// What Penstock's loaders do, as Micrometer's meters.
///
/// Start at [dev.penstock.metrics.LoaderMetrics].
@NullMarked
module dev.penstock.metrics {
  exports dev.penstock.metrics;

  requires transitive dev.penstock;
  requires transitive micrometer.core;
  requires static transitive org.jspecify;
}
