package dev.penstock.internal.hub;

import dev.penstock.spi.storage.RemoteRequests;
import dev.penstock.spi.storage.RemoteStorage;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Data sets and models of the Hugging Face Hub, or of a mirror.
///
/// Asked are the Hub's documented calls: `revision` for the commit of a branch, `tree` for the
/// files of a folder, `resolve` for their bytes.
public final class HubStorage implements RemoteStorage {
  private final Function<String, @Nullable String> environment;
  private final LongSupplier nanos;

  public HubStorage() {
    this(System::getenv, System::nanoTime);
  }

  /// Makes one for a test.
  ///
  /// @param environment the value of a variable, or null
  HubStorage(Function<String, @Nullable String> environment, LongSupplier nanos) {
    this.environment = environment;
    this.nanos = nanos;
  }

  @Override
  public List<String> schemes() {
    return List.of("hf");
  }

  @Override
  public Set<String> ownOptionKeys() {
    return Set.of("anonymous", "bearer-token", "config", "endpoint", "split");
  }

  /// All repositories are at one address, which the options choose.
  @Override
  public String origin(Location location, StorageOptions options) {
    return "hf";
  }

  @Override
  public RemoteRequests requests(StorageOptions options) {
    return new HubRequests(new Hub(options, environment));
  }

  @Override
  public Storage with(StorageOptions options) {
    return new HubFiles(RemoteStorage.super.with(options), options, nanos);
  }
}
