package dev.penstock.internal.planfile;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.planfile.PlanIndex.Block;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Reads a plan file: its end and its files at once, by two or three requests; statistics and
/// matches when they are wanted.
///
/// **Ownership.** The caller closes the file, after the last question for details.
///
/// **Errors.** If the file is damaged, a [dev.penstock.format.MalformedFileException] names the
/// block.
public record PlanFileReader(PlanFile plan, PlanDetails details) {
  /// Reads all but the details of an open file.
  public static PlanFileReader open(StorageFile file) throws IOException {
    PlanBlocks blocks = new PlanBlocks(file);
    PlanIndex index = blocks.index();
    List<PlannedFile> files = files(blocks, index);
    return new PlanFileReader(
        new PlanFile(index.hash(), index.origin(), index.schemas(), files),
        new StoredDetails(blocks, index, files));
  }

  private static List<PlannedFile> files(PlanBlocks blocks, PlanIndex index) throws IOException {
    List<PlannedFile> files = new ArrayList<>();
    int all = index.files();
    int schemas = index.schemas().size();
    for (int i = 0; files.size() < all; i++) {
      Block block = index.blocks().get(i);
      files.addAll(
          blocks.read(i, in -> FilesCode.read(in, block.files(), block.rowGroups(), schemas)));
    }
    for (int i = 1; i < files.size(); i++) {
      if (files.get(i).location().compareTo(files.get(i - 1).location()) < 0) {
        String why =
            Sentence.of(
                "'%s' comes before '%s'", files.get(i - 1).location(), files.get(i).location());
        throw blocks.corrupt("file " + i, -1, why, null);
      }
    }
    return files;
  }
}
