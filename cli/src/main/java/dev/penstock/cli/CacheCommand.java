package dev.penstock.cli;

import static java.util.Comparator.naturalOrder;

import dev.penstock.LocalCache;
import dev.penstock.LocalCache.KeptFile;
import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.Terminal;
import dev.penstock.cli.output.TextTable;
import dev.penstock.storage.Printable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JsonGenerator;

/// `penstock cache`: what a folder that was given to `--cache` has.
@Command(
    name = "cache",
    mixinStandardHelpOptions = true,
    description = {
      "Shows what a cache has, by the folders of the files.",
      "Of each, how many bytes of decoded columns, and when they were last used. Runs may use the"
          + " cache meanwhile.",
      "--check ends with status 1 if something is damaged. That does no harm: a run that comes upon"
          + " it deletes it and reads the file instead."
    },
    footer = {"penstock cache /mnt/nvme/cache", "penstock cache /mnt/nvme/cache --check"})
final class CacheCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "FOLDER", description = "The folder that was given to --cache.")
  private String folder = "";

  @Option(names = "--check", description = "Read all of it, and compare the checksums.")
  private boolean check;

  @Option(
      names = "--clear",
      description = "Delete all of it, but nothing else that is in the folder.")
  private boolean clear;

  @Option(names = "--json", description = "Print one JSON object instead.")
  private boolean json;

  /// What was found.
  ///
  /// @param problems what is damaged; empty if that was not looked for
  /// @param freed how many bytes were deleted; empty if nothing was to be
  private record Found(
      List<KeptFile> files, int segments, long bytes, List<String> problems, OptionalLong freed) {}

  CacheCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (check && clear) {
      throw new UsageException("Cannot use --check with --clear: check it first, then clear it.");
    }
    LocalCache cache = UsageException.blame(() -> LocalCache.at(folder));
    OptionalLong freed = clear ? OptionalLong.of(cache.clear()) : OptionalLong.empty();
    List<String> problems = check ? cache.check() : List.of();
    Found found = new Found(cache.files(), cache.segments(), cache.bytes(), problems, freed);
    if (json) {
      terminal.printJson(json -> write(json, found));
    } else {
      print(found);
    }
    return problems.isEmpty() ? Main.DONE : Main.FAULT;
  }

  private void print(Found found) {
    if (!found.files().isEmpty()) {
      TextTable table =
          new TextTable().left("folder").right("files").right("bytes").left("last used");
      for (Map.Entry<String, List<KeptFile>> folder : byFolder(found.files()).entrySet()) {
        List<KeptFile> files = folder.getValue();
        long bytes = files.stream().mapToLong(KeptFile::bytes).sum();
        Instant used = files.stream().map(KeptFile::lastUsed).max(naturalOrder()).orElseThrow();
        table.row(
            folder.getKey(), Numbers.count(files.size()), Numbers.bytes(bytes), seconds(used));
      }
      terminal.print(table.fit(terminal.outColumns()) + "\n");
    }
    StringBuilder text = new StringBuilder();
    found.freed().ifPresent(bytes -> text.append(Numbers.bytes(bytes)).append(" deleted\n"));
    text.append(
            String.join(
                ", ",
                Numbers.count(found.files().size(), "file"),
                Numbers.count(found.segments(), "segment"),
                Numbers.bytes(found.bytes())))
        .append('\n');
    if (check) {
      found.problems().forEach(problem -> text.append(Printable.of(problem)).append('\n'));
      text.append(found.problems().isEmpty() ? "all checksums are right\n" : "");
    }
    terminal.print(text.toString());
  }

  /// Groups files by their folder: a cache does not know which files are one dataset.
  private static Map<String, List<KeptFile>> byFolder(List<KeptFile> files) {
    Map<String, List<KeptFile>> folders = new TreeMap<>();
    for (KeptFile file : files) {
      String location = file.location();
      String folder = location.substring(0, Math.max(0, location.lastIndexOf('/')));
      folders.computeIfAbsent(folder, _ -> new ArrayList<>()).add(file);
    }
    return folders;
  }

  private void write(JsonGenerator json, Found found) {
    json.writeStartObject()
        .writeNumberProperty("segments", found.segments())
        .writeNumberProperty("bytes", found.bytes())
        .writeArrayPropertyStart("files");
    for (KeptFile file : found.files()) {
      json.writeStartObject()
          .writeStringProperty("location", file.location())
          .writeNumberProperty("bytes", file.bytes())
          .writeNumberProperty("endRow", file.endRow())
          .writeStringProperty("lastUsed", seconds(file.lastUsed()))
          .writeEndObject();
    }
    json.writeEndArray();
    if (check) {
      json.writeArrayPropertyStart("problems");
      found.problems().forEach(json::writeString);
      json.writeEndArray();
    }
    found.freed().ifPresent(bytes -> json.writeNumberProperty("bytesDeleted", bytes));
    json.writeEndObject();
  }

  private static String seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
