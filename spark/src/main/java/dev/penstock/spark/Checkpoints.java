package dev.penstock.spark;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.LoaderState;
import dev.penstock.split.Rank;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/// The checkpoints of a training, in a folder that all executors see.
///
/// A checkpoint is a folder `epoch-2-step-300-RUN` with a file `rank-1-of-4` for each rank: the
/// loader's state as a line of JSON, followed by the model. A checkpoint counts when all its files
/// exist. Files are written under another name first, so existing files are complete.
///
/// The run's name separates files that different attempts save for the same step: a task that Spark
/// gave up may still be running and save a different model.
record Checkpoints(FileSystem files, Path folder, String run, Rank rank) {
  private static final Pattern FOLDER =
      Pattern.compile("epoch-([0-9]{1,18})-step-([0-9]{1,18})-([0-9a-z-]+)");
  private static final Pattern FILE = Pattern.compile("rank-([0-9]{1,9})-of-([0-9]{1,9})");
  private static final String PROBE = "last-run";
  private static final int KEPT = 2;

  /// What one rank saved.
  ///
  /// @param model what the user gave
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Saved(LoaderState state, byte[] model) {}

  /// Opens a folder, creating it if necessary.
  ///
  /// @param run a unique name of this attempt, of digits, lower-case letters and hyphens
  static Checkpoints open(String folder, Configuration configuration, String run, Rank rank)
      throws IOException {
    Path path = new Path(folder);
    FileSystem files = path.getFileSystem(configuration);
    files.mkdirs(path);
    return new Checkpoints(files, path, run, rank);
  }

  /// Writes the run's name into the folder, for [#requireShared()] on the other ranks.
  void begin() throws IOException {
    write(folder, PROBE, run.getBytes(UTF_8));
  }

  /// Checks that this rank sees what the first one wrote. Otherwise, with a folder on each
  /// machine's own disk, all writes succeed but no checkpoint is ever complete.
  ///
  /// @throws IOException if it does not
  void requireShared() throws IOException {
    Path probe = new Path(folder, PROBE);
    if (!files.exists(probe) || !new String(read(probe), UTF_8).equals(run)) {
      throw new IOException(
          ("Cannot keep checkpoints in %s: rank %s does not see there what rank 0 wrote."
                  + " Give a folder that all executors share.")
              .formatted(folder, rank));
    }
  }

  /// Returns the last complete checkpoint.
  Optional<String> newest() throws IOException {
    return complete().findFirst();
  }

  /// Reads a checkpoint.
  List<Saved> read(String name) throws IOException {
    List<Saved> ranks = new ArrayList<>();
    for (String file : ranks(name)) {
      ranks.add(saved(new Path(new Path(folder, name), file)));
    }
    return ranks;
  }

  private Saved saved(Path path) throws IOException {
    byte[] bytes = read(path);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        return new Saved(
            LoaderState.parse(new String(bytes, 0, i, UTF_8)),
            Arrays.copyOfRange(bytes, i + 1, bytes.length));
      }
    }
    throw new IOException(
        "Cannot resume: a checkpoint starts with a line of JSON, but "
            + path
            + " has no line end.");
  }

  /// Saves the rank's part of a checkpoint. Rank 0 removes old ones.
  void save(LoaderState state, byte[] model) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(state.toJson().getBytes(UTF_8));
    bytes.write('\n');
    bytes.writeBytes(model);
    String name = "epoch-" + state.epoch() + "-step-" + state.batches() + "-" + run;
    write(
        new Path(folder, name),
        "rank-" + rank.index() + "-of-" + rank.count(),
        bytes.toByteArray());
    if (rank.index() == 0) {
      removeOld();
    }
  }

  /// Removes checkpoints older than the last two complete ones. Two are kept, because a run that is
  /// just starting may be reading the older one.
  private void removeOld() throws IOException {
    List<String> names = names();
    Optional<String> oldest = complete().skip(KEPT - 1).findFirst();
    if (oldest.isPresent()) {
      for (String old : names.subList(names.indexOf(oldest.get()) + 1, names.size())) {
        files.delete(new Path(folder, old), true);
      }
    }
  }

  private Stream<String> complete() throws IOException {
    List<String> complete = new ArrayList<>();
    for (String name : names()) {
      if (!ranks(name).isEmpty()) {
        complete.add(name);
      }
    }
    return complete.stream();
  }

  /// Returns the names of all checkpoints, the furthest first.
  private List<String> names() throws IOException {
    Comparator<Matcher> furthest =
        Comparator.comparingLong((Matcher name) -> Long.parseLong(name.group(1)))
            .thenComparingLong(name -> Long.parseLong(name.group(2)))
            .thenComparing(name -> name.group(3));
    return names(folder)
        .map(FOLDER::matcher)
        .filter(Matcher::matches)
        .sorted(furthest.reversed())
        .map(Matcher::group)
        .toList();
  }

  /// Returns the files of a checkpoint by rank; empty if one is missing.
  private List<String> ranks(String name) throws IOException {
    List<Matcher> found =
        names(new Path(folder, name))
            .map(FILE::matcher)
            .filter(Matcher::matches)
            .sorted(Comparator.comparingInt(file -> Integer.parseInt(file.group(1))))
            .toList();
    boolean isComplete =
        !found.isEmpty() && found.size() == Integer.parseInt(found.getFirst().group(2));
    return isComplete ? found.stream().map(Matcher::group).toList() : List.of();
  }

  private Stream<String> names(Path path) throws IOException {
    return Arrays.stream(files.listStatus(path)).map(FileStatus::getPath).map(Path::getName);
  }

  private byte[] read(Path path) throws IOException {
    try (FSDataInputStream in = files.open(path)) {
      return in.readAllBytes();
    }
  }

  private void write(Path into, String name, byte[] bytes) throws IOException {
    Path draft = new Path(into, "draft-" + run + "-" + name);
    Path target = new Path(into, name);
    try (FSDataOutputStream out = files.create(draft, true)) {
      out.write(bytes);
    }
    files.delete(target, false); // some stores cannot rename onto an existing file
    if (!files.rename(draft, target)) {
      throw new IOException("Cannot save a checkpoint: " + draft + " was not renamed to " + target);
    }
  }
}
