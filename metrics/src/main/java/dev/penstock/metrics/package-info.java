/// What loaders do, as Micrometer's meters, for Prometheus, OpenTelemetry and other registries.
/// [dev.penstock.metrics.LoaderMetrics] binds a loader to a registry.
@NullMarked
package dev.penstock.metrics;

import org.jspecify.annotations.NullMarked;
