package dev.penstock.metrics;

import dev.penstock.Loader;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;

/// What a loader does, as Micrometer's meters.
///
/// Each meter has the tag `loader` with the given name, so that a registry may have several
/// loaders. Counters are [dev.penstock.stats.LoaderTotals], which grow over all epochs; gauges are
/// [dev.penstock.stats.LoaderStats], of the current epoch. The loader works as without meters: it
/// is only asked for its numbers when a registry wants them.
///
/// {@snippet lang=java :
/// try (DataLoader loader = DataLoader.of(flights, options);
///     LoaderMetrics metrics = new LoaderMetrics(loader, "train")) {
///   metrics.bindTo(registry);
/// }
/// }
///
/// **Ownership.** Neither this nor a registry keeps a loader in memory. When the loader is closed,
/// the meters stay, with its last numbers. When it was collected as garbage, counters keep the
/// number that was read last, and gauges have none. [#close()] removes the meters; it does not
/// close the loader.
///
/// **Threads.** Safe for any.
public final class LoaderMetrics implements MeterBinder, AutoCloseable {
  private final WeakReference<Loader<?>> loader;
  private final String name;
  private final LongSupplier ticker;
  private final List<LoaderMeters> bound = new ArrayList<>(); // guarded by this

  /// Makes the meters of a loader, which no registry has yet.
  ///
  /// @param loader the loader
  /// @param name the value of the tag `loader`, such as `train`
  /// @throws IllegalArgumentException if the name is blank
  public LoaderMetrics(Loader<?> loader, String name) {
    this(loader, name, System::nanoTime);
  }

  /// Makes the meters with a clock.
  ///
  /// @param ticker returns nanoseconds, by which numbers are new or old
  LoaderMetrics(Loader<?> loader, String name, LongSupplier ticker) {
    this.loader = new WeakReference<>(Objects.requireNonNull(loader, "loader must not be null."));
    this.name = name;
    this.ticker = ticker;
    if (name.isBlank()) {
      throw new IllegalArgumentException("name must not be blank.");
    }
  }

  /// Registers the meters.
  ///
  /// @param registry where; it may already have meters of other loaders
  /// @throws IllegalStateException if it has meters of another loader with this name
  @Override
  public void bindTo(MeterRegistry registry) {
    Loader<?> present = loader.get();
    if (present == null) {
      return; // nobody can use it any more
    }
    LoaderMeters meters = new LoaderMeters(registry, name, ticker);
    meters.register(present);
    synchronized (this) {
      bound.add(meters);
    }
  }

  /// Removes the meters from all registries. Calling it again does nothing.
  @Override
  public void close() {
    List<LoaderMeters> all;
    synchronized (this) {
      all = List.copyOf(bound);
      bound.clear();
    }
    all.forEach(LoaderMeters::remove);
  }

  /// Shows the name of the loader.
  @Override
  public String toString() {
    return "LoaderMetrics of '" + name + "'";
  }
}
