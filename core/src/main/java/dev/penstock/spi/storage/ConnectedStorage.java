package dev.penstock.spi.storage;

import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A network store with its options applied.
final class ConnectedStorage implements Storage {
  private final RemoteStorage store;
  private final Retries retries;
  private final RetryPolicy policy;
  private final FetchAdvice advice;
  private final RequestGate gate;
  private final String text;

  /// Applies options.
  ///
  /// @throws IllegalArgumentException if the value of an option is invalid
  ConnectedStorage(RemoteStorage store, StorageOptions options) {
    this.store = store;
    this.policy = RetryPolicy.of(options);
    this.retries = new Retries(policy, Pace.SYSTEM, options.leftOut());
    this.advice = FetchAdvice.of(options);
    StoreClient client = new StoreClient(() -> store.requests(options));
    this.text = client.take().toString(); // and checks the options
    client.giveBack();
    this.gate = new RequestGate(advice.requestsMax(), client);
  }

  @Override
  public List<String> schemes() {
    return store.schemes();
  }

  @Override
  public Set<String> optionKeys() {
    return store.optionKeys();
  }

  @Override
  public Storage with(StorageOptions options) {
    return store.with(options);
  }

  @Override
  public Optional<FileEntry> stat(Location location) throws IOException {
    Optional<FileEntry> file = file(location);
    if (file.isPresent()) {
      return file;
    }
    FilePages pages = pages("look at", location, 1);
    while (pages.hasNext()) {
      if (!pages.next().files().isEmpty()) {
        return Optional.of(FileEntry.folder(location));
      }
    }
    return Optional.empty();
  }

  private Optional<FileEntry> file(Location location) throws IOException {
    try {
      return call("look at '" + location + "'", requests -> requests.stat(location));
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.MISSING) {
        return Optional.empty(); // or there is no such bucket, which listing reports
      }
      throw e;
    }
  }

  private <T> T call(String what, RequestGate.Request<T> request) throws IOException {
    return retries.call(what, () -> gate.call(request));
  }

  @Override
  public List<FileEntry> list(Location folder) throws IOException {
    List<FileEntry> files = new ArrayList<>();
    FilePages pages = pages("list", folder, Integer.MAX_VALUE);
    while (pages.hasNext()) {
      for (FileEntry each : pages.next().files()) {
        if (!each.folder()) {
          files.add(each);
        }
      }
    }
    return files;
  }

  private FilePages pages(String verb, Location folder, int most) {
    String what = verb + " '" + folder + "'";
    return new FilePages(
        what,
        from -> call(what, requests -> requests.list(folder, from, most)),
        policy.deadline(),
        Pace.SYSTEM);
  }

  @Override
  public StorageFile open(Location location) throws IOException {
    return open(
        file(location)
            .filter(found -> !found.folder())
            .orElseThrow(() ->
                new StorageException(
                    StorageException.Kind.MISSING,
                    "Cannot read '"
                        + location
                        + "': it is gone. List the dataset again, or restore the file.",
                    null)));
  }

  @Override
  public StorageFile open(FileEntry file) {
    return new RemoteFile(
        file, (offset, length) -> gate.open(file, offset, length), retries, advice);
  }

  @Override
  public boolean create(Location file, byte[] content) throws IOException {
    try {
      return call(
          "create '" + file + "'",
          requests -> {
            requests.create(file, content);
            return true;
          });
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.CHANGED) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
