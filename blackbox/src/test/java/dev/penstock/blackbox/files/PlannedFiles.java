package dev.penstock.blackbox.files;

import dev.penstock.SavedPlan;
import dev.penstock.StructuredDataset;
import dev.penstock.tck.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Files that are read by a plan of them, which was made before.
public final class PlannedFiles extends WrappedFiles {
  private final List<Path> folders = new ArrayList<>();

  public PlannedFiles(TableWriter files) {
    super(files);
  }

  private StructuredDataset planned(StructuredDataset dataset) {
    try {
      Path plans = Files.createTempDirectory("penstock-plans");
      folders.add(plans);
      String place = plans + "/";
      SavedPlan _ = dataset.savePlan(place);
      return dataset.plan(place);
    } catch (UncheckedIOException | IllegalArgumentException e) {
      return dataset; // The test is about files that cannot be read so.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public StructuredDataset dataset(Path folder, Table table, Random layout) throws IOException {
    return planned(files.dataset(folder, table, layout));
  }

  @Override
  public StructuredDataset open(String location, Table table) {
    return planned(files.open(location, table));
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
  public void stop() {
    super.stop();
    folders.forEach(Folder::delete);
  }
}
