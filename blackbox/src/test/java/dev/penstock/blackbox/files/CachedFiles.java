package dev.penstock.blackbox.files;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.tck.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Files whose decoded columns are kept in a cache: a new one for each table, which is empty, has
/// some of the rows or all, or is too small for them.
public final class CachedFiles extends WrappedFiles {
  private final List<Path> folders = new ArrayList<>();

  public CachedFiles(TableWriter files) {
    super(files);
  }

  private StructuredDataset cached(StructuredDataset dataset, Random random) throws IOException {
    Path cache = Files.createTempDirectory("penstock-cache");
    folders.add(cache);
    String size = random.nextInt(4) == 0 ? "1MiB" : "64MiB";
    StructuredDataset before = dataset.cache(cache.toString(), size);
    switch (random.nextInt(3)) {
      case 0 -> {}
      case 1 -> read(before, random.nextInt(5));
      default -> read(before, Integer.MAX_VALUE);
    }
    return dataset.cache(cache.toString(), size);
  }

  private static void read(StructuredDataset dataset, int batches) {
    LoaderOptions options =
        LoaderOptions.defaults()
            .rank(Rank.SINGLE)
            .batchSize(64)
            .workers(1)
            .output(OutputFormat.MAP);
    try (DataLoader loader = DataLoader.of(dataset, options);
        EpochIterator<Batch> epoch = loader.iterator()) {
      for (int i = 0; i < batches && epoch.hasNext(); i++) {
        epoch.next().close();
      }
    } catch (UncheckedIOException | IllegalArgumentException e) {
      // The test is about files that cannot be read so.
    }
  }

  @Override
  public StructuredDataset dataset(Path folder, Table table, Random layout) throws IOException {
    Random random = new Random(layout.nextLong());
    return cached(files.dataset(folder, table, layout), random);
  }

  @Override
  public StructuredDataset open(String location, Table table) {
    try {
      return cached(files.open(location, table), new Random(location.hashCode()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Path write(Path folder, Table table, Random layout) throws IOException {
    return files.write(folder, table, layout);
  }

  @Override
  public Path path(Path folder, Table.DataFile file) {
    return files.path(folder, file);
  }

  @Override
  public boolean isCached() {
    return true;
  }

  @Override
  public void stop() {
    super.stop();
    folders.forEach(Folder::delete);
  }
}
