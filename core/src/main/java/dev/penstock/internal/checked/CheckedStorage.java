package dev.penstock.internal.checked;

import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// A store whose answers are checked.
///
/// @param storage the store
public record CheckedStorage(Storage storage) implements Storage {
  /// Returns the store, checked if it is not Penstock's own.
  public static Storage of(Storage storage) {
    return Contract.isOurs(storage) ? storage : always(storage);
  }

  /// Returns the store, checked whoever's it is.
  public static CheckedStorage always(Storage storage) {
    return storage instanceof CheckedStorage checked ? checked : new CheckedStorage(storage);
  }

  private Contract contract(Location location) {
    return new Contract(
        "store '" + location.scheme() + "'", storage.getClass().getName(), location);
  }

  @Override
  public List<String> schemes() {
    return storage.schemes();
  }

  @Override
  public Set<String> optionKeys() {
    return storage.optionKeys();
  }

  @Override
  public Storage with(StorageOptions options) {
    Storage changed = storage.with(options);
    if (changed == null) {
      throw new IllegalStateException(
          "Cannot use stores of "
              + storage.getClass().getName()
              + ": it returned null from with(). Correct the class.");
    }
    return changed.equals(storage) ? this : new CheckedStorage(changed);
  }

  @Override
  public String origin(Location location, StorageOptions options) {
    return contract(location).given(storage.origin(location, options), "origin()");
  }

  @Override
  public Optional<FileEntry> stat(Location location) throws IOException {
    Contract contract = contract(location);
    Optional<FileEntry> entry = contract.call("stat()", () -> storage.stat(location));
    entry.ifPresent(found -> check(contract, found, "stat()"));
    return entry;
  }

  private static void check(Contract contract, FileEntry entry, String method) {
    Location location = contract.given(entry.location(), method + ", as a location");
    contract.given(entry.version(), method + ", as a version");
    contract.given(entry.modified(), method + ", as a time");
    if (entry.bytes() < 0) {
      throw contract
          .at(location)
          .broken("", "returned a size of " + entry.bytes() + " bytes from " + method);
    }
  }

  @Override
  public List<FileEntry> list(Location folder) throws IOException {
    return list(folder, contract(folder).call("list()", () -> storage.list(folder)));
  }

  @Override
  public List<FileEntry> list(Location folder, Predicate<Location> wanted) throws IOException {
    Contract contract = contract(folder);
    return list(folder, contract.call("list()", () -> storage.list(folder, wanted)));
  }

  private List<FileEntry> list(Location folder, List<FileEntry> entries) {
    Contract contract = contract(folder);
    for (FileEntry entry : contract.allGiven(entries, "list()")) {
      check(contract, entry, "list()");
      if (!entry.location().text().startsWith(folder.text())) {
        throw contract.broken(
            "", "returned '" + entry.location() + "' from list(), which is not below the folder");
      }
    }
    return entries;
  }

  @Override
  public Location canonical(Location file) throws IOException {
    return contract(file).call("canonical()", () -> storage.canonical(file));
  }

  @Override
  public StorageFile open(Location location) throws IOException {
    Contract contract = contract(location);
    return opened(contract, contract.given(storage.open(location), "open()"));
  }

  @Override
  public StorageFile open(FileEntry file) throws IOException {
    Contract contract = contract(file.location());
    StorageFile opened = opened(contract, contract.given(storage.open(file), "open()"));
    String version = opened.version();
    if (!file.version().isEmpty() && !version.equals(file.version())) {
      requireStable(opened, file, contract);
    }
    return opened;
  }

  @Override
  public boolean create(Location file, byte[] content) throws IOException {
    return contract(file).call("create()", () -> storage.create(file, content));
  }

  private static StorageFile opened(Contract contract, StorageFile file) throws IOException {
    try {
      return new CheckedFile(file, contract.of(file));
    } catch (Throwable e) {
      file.close();
      throw e;
    }
  }

  /// Throws if a file has another version whenever it is opened; else it has changed.
  private void requireStable(StorageFile opened, FileEntry file, Contract contract)
      throws IOException {
    try (StorageFile again = opened(contract, storage.open(file.location()))) {
      if (!again.version().equals(opened.version())) {
        String first = opened.version();
        opened.close();
        throw contract.broken(
            "",
            "gave the version '"
                + first
                + "' and then '"
                + again.version()
                + "', without a change of the file; before that '"
                + file.version()
                + "'");
      }
    }
  }
}
