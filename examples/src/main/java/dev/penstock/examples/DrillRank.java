package dev.penstock.examples;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.batch.Batch;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;

/// A rank of [ElasticityDrill], in a process of its own. It takes a step for each line that it
/// reads, as ranks wait for each other in training, and keeps its state after every few of them.
final class DrillRank {
  private DrillRank() {}

  /// Runs it until it is killed or the epoch ends.
  ///
  /// @param args the rank, the folder of the states, the state to go on from, after how many steps
  ///   it saves, and the arguments of [DrillData]
  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws IOException {
    Rank rank = Rank.parse(args[0]);
    Path states = Path.of(args[1]);
    Path from = Path.of(args[2]);
    long every = Long.parseLong(args[3]);
    DrillData data = DrillData.parse(Arrays.asList(args).subList(4, args.length));
    try (DataLoader loader = DataLoader.of(data.dataset(), data.options(rank))) {
      if (Files.exists(from)) {
        loader.resume(LoaderState.parse(Files.readString(from)));
      }
      try (EpochIterator<Batch> epoch = loader.iterator()) {
        System.out.println("ready");
        long step = 0;
        while (System.in.read() >= 0 && epoch.hasNext()) {
          Rows rows;
          try (Batch batch = epoch.next()) {
            rows = Rows.of(batch);
          }
          step++;
          System.out.println(rows.count() + " " + rows.digest());
          if (step % every == 0) { // after what was done with the rows
            save(loader.state(), file(states, rank, step));
          }
        }
        System.out.println("end");
      }
    }
  }

  private static void save(LoaderState state, Path file) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".tmp");
    Files.writeString(draft, state.toJson());
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /// Returns where the state of a rank is.
  static Path file(Path states, Rank rank, long step) {
    return states.resolve(rank.count() + "-" + step + "-" + rank.index() + ".json");
  }
}
