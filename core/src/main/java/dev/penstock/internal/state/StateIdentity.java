package dev.penstock.internal.state;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.hash.XxHash64;
import dev.penstock.internal.hash.XxHash64Stream;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.plan.Source;
import dev.penstock.internal.table.Table;
import dev.penstock.internal.table.TableFile;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.FileSplit;
import dev.penstock.storage.Location;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Everything that decides which rows come in which order. A state is valid only for a loader where
/// all of it is equal.
///
/// Each part is a text for messages; a text that was cut ends with a hash of the whole.
///
/// @param files the files: the table's version if a catalog has it, their number, rows and bytes, a
///   hash of names, sizes and versions, and the format options that decide their contents
/// @param shuffle how far rows move
/// @param sequence a hash of the epoch's FileSplits in order
public record StateIdentity(
    String files, String columns, String filter, String shuffle, long seed, String sequence) {
  private static final int TEXT_MAX = 120;

  /// The start of the version of a file in the Hugging Face Hub.
  private static final Pattern COMMIT = Pattern.compile("([0-9a-f]{40})/");

  /// The commit in what is told of files.
  private static final Pattern TOLD_COMMIT = Pattern.compile("commit ([0-9a-f]{40}), ");

  /// Format options that change how files are read but not their contents.
  private static final Set<String> WAYS =
      Set.of("max-record-bytes", "page-index", "zstd-window-log");

  /// Returns the identity of what is read of one dataset.
  ///
  /// @param order how rows move, and what is made of them
  public static StateIdentity of(Source source, String order, long seed, Sequence sequence) {
    return new StateIdentity(
        source.version().map(version -> brief(version) + ", ").orElse("")
            + files(source.table(), source.formatOptions()),
        brief(String.join(", ", source.schema().names())),
        brief(source.filter()),
        order,
        seed,
        splits(source.table(), sequence));
  }

  public static StateIdentity mixed(List<StateIdentity> sources, String mix) {
    StateIdentity first = sources.getFirst();
    return new StateIdentity(
        joined(sources, StateIdentity::files),
        first.columns,
        joined(sources, StateIdentity::filter),
        first.shuffle + ", mixed by " + brief(mix),
        first.seed,
        hash(joined(sources, StateIdentity::sequence)));
  }

  private static String joined(List<StateIdentity> sources, Function<StateIdentity, String> part) {
    return brief(
        sources.size() + " sources: " + String.join("; ", sources.stream().map(part).toList()));
  }

  private static String files(Table table, Map<String, String> options) {
    long rows = 0;
    long bytes = 0;
    String folder = folder(table);
    XxHash64Stream all = new XxHash64Stream();
    for (TableFile file : table.files()) {
      DataFileInfo info = file.info();
      rows += info.rows();
      bytes += info.bytes();
      all.add(info.location().text().substring(folder.length()) + "\n" + info.bytes() + "\n");
      all.add(portable(file.version()) + "\n");
    }
    Map<String, String> deciding = new TreeMap<>(options);
    deciding.keySet().removeAll(WAYS);
    String read = deciding.isEmpty() ? "" : ", read with " + brief(deciding.toString());
    return Sentence.of(
        "%s%s files, %s rows, %s bytes, %s%s",
        commit(table).map(each -> "commit " + each + ", ").orElse(""),
        table.files().size(),
        rows,
        bytes,
        text(all.hash()),
        read);
  }

  /// Returns the commit that all files are of, where that is a part of their versions.
  private static Optional<String> commit(Table table) {
    Set<String> commits = new HashSet<>();
    for (TableFile file : table.files()) {
      Matcher version = COMMIT.matcher(file.version());
      commits.add(version.lookingAt() ? version.group(1) : "");
    }
    return commits.size() == 1
        ? Optional.of(commits.iterator().next()).filter(commit -> !commit.isEmpty())
        : Optional.empty();
  }

  /// Returns the part of a version that a copy of the file has as well, if it keeps the time.
  private static String portable(String version) {
    int here = version.indexOf(StorageFile.HERE);
    return here < 0 ? version : version.substring(0, here);
  }

  /// Returns the common start of all locations, up to a slash. It is left out of the identity
  /// because a dataset may be moved.
  private static String folder(Table table) {
    if (table.files().isEmpty()) {
      return "";
    }
    String folder = table.files().getFirst().info().location().text();
    for (TableFile file : table.files()) {
      String other = file.info().location().text();
      int same = 0;
      while (same < Math.min(folder.length(), other.length())
          && folder.charAt(same) == other.charAt(same)) {
        same++;
      }
      folder = folder.substring(0, same);
    }
    return folder.substring(0, folder.lastIndexOf('/') + 1);
  }

  private static String splits(Table table, Sequence sequence) {
    Map<Location, Integer> numbers = new HashMap<>();
    List<DataFileInfo> infos = table.infos();
    for (DataFileInfo info : infos) {
      numbers.put(info.location(), numbers.size());
    }
    XxHash64Stream all = new XxHash64Stream();
    for (FileSplit split : sequence.splits()) {
      int number = numbers.getOrDefault(split.file().location(), -1);
      // A strategy may have made the file's description itself.
      boolean isOurs = number >= 0 && infos.get(number).equals(split.file());
      all.add((isOurs ? number : -1) + " " + split.firstRow() + " " + split.rows() + "\n");
    }
    return text(all.hash());
  }

  private static String brief(String text) {
    return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX) + "… " + hash(text);
  }

  private static String hash(String text) {
    return text(XxHash64.hash(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String text(long hash) {
    return String.format(Locale.ROOT, "#%016x", hash);
  }

  /// Checks that another loader delivers the same rows in the same order.
  ///
  /// @throws IllegalArgumentException if not; the message shows both values of the first part that
  ///   differs
  public void require(StateIdentity here) {
    if (!files.equals(here.files) && counts(files).equals(counts(here.files))) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot resume: the files are '%s' here but '%s' in the state, so the name or the"
                  + " version of some file differs; the version of a local file is the time of its"
                  + " last change. Copy files with their times, as 'cp -p' and 'rsync -t' do, or"
                  + " give the copies those of the originals with 'touch -r'.",
              here.files, files));
    }
    requireCommit(here);
    require("files are", files, here.files);
    require("columns are", columns, here.columns);
    require("filter is", filter, here.filter);
    require("shuffle is", shuffle, here.shuffle);
    require("seed is", seed, here.seed);
    require("splits are", sequence, here.sequence);
  }

  private void requireCommit(StateIdentity here) {
    Matcher stated = TOLD_COMMIT.matcher(files);
    Matcher found = TOLD_COMMIT.matcher(here.files);
    if (stated.lookingAt() && found.lookingAt() && !stated.group(1).equals(found.group(1))) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot resume: the data set is at commit '%s' here but at '%s' in the state, so its"
                  + " branch has moved. To resume, name that commit behind its name: '@%s'.",
              found.group(1), stated.group(1), stated.group(1)));
    }
  }

  /// Returns what is told of files without their hash.
  private static String counts(String files) {
    return files.replaceAll("#[0-9a-f]{16}", "");
  }

  private static void require(String what, Object stated, Object here) {
    if (!stated.equals(here)) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot resume: the %s '%s' here but '%s' in the state. Resume with the"
                  + " dataset and the options of the stopped run.",
              what, here, stated));
    }
  }
}
