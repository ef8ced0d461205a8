package dev.penstock.blackbox.files;

import dev.penstock.StructuredDataset;
import dev.penstock.tck.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;

/// Files that are read from a store, so that the contracts of formats run over stores as well.
public final class StoredFiles extends WrappedFiles {
  /// Where files are in a store.
  ///
  /// @param options what the store needs to be reached
  public record Place(String location, Map<String, String> options) {}

  /// Reads the files of a local folder from a store.
  public interface Store extends AutoCloseable {
    StructuredDataset dataset(Path folder) throws IOException;

    /// Stops the store's server where it has one.
    @Override
    default void close() {}
  }

  /// A store with folders.
  @FunctionalInterface
  public interface FolderStore extends Store {
    /// Puts the files of a local folder into the store.
    Place put(Path folder) throws IOException;

    @Override
    default StructuredDataset dataset(Path folder) throws IOException {
      Place place = put(folder);
      StructuredDataset dataset = new StructuredDataset(place.location());
      for (Map.Entry<String, String> option : place.options().entrySet()) {
        dataset = dataset.storageOption(option.getKey(), option.getValue());
      }
      return dataset;
    }
  }

  private final Store store;

  public StoredFiles(TableWriter files, Store store) {
    super(files);
    this.store = store;
  }

  @Override
  public void stop() {
    store.close();
  }

  @Override
  public StructuredDataset dataset(Path folder, Table table, Random layout) throws IOException {
    return store.dataset(files.write(folder, table, layout));
  }
}
