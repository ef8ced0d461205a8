package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `--cache` on the held-out flights, 2 files of 37,500 rows, and `penstock cache`.
class CacheCommandTest {
  private static final Path files = HeldOutFlights.FOLDER;

  @TempDir Path temporary;
  private String cache = "";

  @BeforeEach
  void nameCache() {
    cache = temporary.resolve("cache").toString();
  }

  private CommandRun run(String line) {
    return CommandRun.of(
        CommandRun.words(line)
            .map(word -> word.replace("@", files.toString()).replace("CACHE", cache))
            .toArray(String[]::new));
  }

  private List<Path> segments() throws IOException {
    try (Stream<Path> all = Files.list(Path.of(cache))) {
      return all.filter(path -> path.toString().endsWith(".segment")).sorted().toList();
    }
  }

  @Test
  void laterRunsReadFromTheCache() {
    String plain = run("load --json @").printed();
    assertThat(plain).doesNotContain("bytesCached");
    List<String> lines = run("load --json --epochs 2 @ --cache CACHE").lines();
    assertThat(CommandRun.field(lines.getFirst(), "bytesCached")).isEqualTo("0");
    assertThat(CommandRun.field(lines.getLast(), "bytesRead")).isEqualTo("0");
    String later = run("load --json @ --cache CACHE:1GiB").printed();
    assertThat(CommandRun.field(later, "bytesRead")).isEqualTo("0");
    assertThat(Long.parseLong(CommandRun.field(later, "bytesCached"))).isGreaterThan(75_000 * 8);
    assertThat(CommandRun.field(later, "orderDigest"))
        .isEqualTo(CommandRun.field(plain, "orderDigest"));
  }

  @Test
  void everyCommandThatReadsTakesACache() {
    for (String command :
        List.of("schema @", "head -n 3 @", "cat --limit 2000 @", "cat --where delay>100 @")) {
      String plain = run(command).printed();
      assertThat(run(command + " --cache CACHE").printed()).isEqualTo(plain);
      assertThat(run(command + " --cache CACHE").printed()).isEqualTo(plain);
    }
    String bench = run("bench @ --workers 1 --warm-up 0 --rounds 1 --cache CACHE").printed();
    assertThat(bench).contains("Use --workers 1: ");
  }

  @Test
  void planSaysHowManyRowsAreCached() {
    assertThat(run("plan @").printed()).doesNotContain("cached");
    assertThat(run("plan @ --cache CACHE").printed()).contains("\ncached: 0 of 75,000 rows\n");
    run("load --json @/part-6.parquet --cache CACHE");
    assertThat(run("plan @ --cache CACHE").printed()).contains("\ncached: 37,500 of 75,000 rows\n");
    run("load --columns delay --json @ --cache CACHE");
    assertThat(CommandRun.field(run("plan --json @ --cache CACHE").printed(), "cachedRows"))
        .isEqualTo("37500");
    assertThat(run("plan --columns delay @ --cache CACHE").printed())
        .contains("\ncached: 75,000 of 75,000 rows\n");
  }

  @Test
  void sourcesOfAMixtureAreKept() {
    String mixed = "cat --mix 1=@/part-6.parquet --mix 1=@/part-7.parquet --seed 3";
    String plain = run(mixed).printed();
    assertThat(run(mixed + " --cache CACHE").printed()).isEqualTo(plain);
    assertThat(run(mixed + " --cache CACHE").printed()).isEqualTo(plain);
    assertThat(run("cache CACHE --json").printed()).contains("part-6.parquet", "part-7.parquet");
  }

  @Test
  void tableOfEpochsSaysWhatCameFromTheCache() {
    assertThat(run("load @").printed()).doesNotContain("cached");
    List<String> lines = run("load --epochs 2 @ --cache CACHE").lines();
    int end = lines.getFirst().indexOf("cached") + "cached".length();
    assertThat(lines.get(2).substring(0, end)).endsWith("    0 B");
    assertThat(lines.get(3).substring(0, end)).endsWith(" MiB");
  }

  @Test
  void foldersAreShownWithTheirLastUse() throws IOException {
    run("load @ --cache CACHE").printed();
    for (Path segment : segments()) {
      Files.setLastModifiedTime(segment, FileTime.from(Instant.parse("2001-02-03T04:05:06.789Z")));
    }
    List<String> lines = run("cache CACHE").lines();
    assertThat(lines).hasSize(5);
    assertThat(lines.getFirst()).matches("folder +files +bytes  last used");
    assertThat(lines.get(2)).startsWith(files + " ").endsWith("iB  2001-02-03T04:05:06Z");
    assertThat(lines.get(4)).matches("2 files, [0-9]+ segments?, [0-9.]+ MiB");
    assertThat(run("cache CACHE --json").printed())
        .startsWith("{\"segments\":" + segments().size() + ",\"bytes\":")
        .contains("\"files\":[{\"location\":\"" + files.resolve("part-6.parquet") + "\",\"bytes\":")
        .endsWith(",\"endRow\":37500,\"lastUsed\":\"2001-02-03T04:05:06Z\"}]}\n");
  }

  @Test
  void folderThatOthersMayWriteIsForSharedCaches() throws IOException {
    assumeTrue(
        temporary.getFileSystem().supportedFileAttributeViews().contains("posix"),
        "files have no modes here");
    run("load --json @ --cache CACHE").printed();
    Files.setPosixFilePermissions(Path.of(cache), PosixFilePermissions.fromString("rwxrwxrwx"));
    CommandRun refused = run("load --json @ --cache CACHE");
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.err())
        .contains("Cannot use '" + cache + "' as a cache: it may be written by other users:")
        .endsWith("Or, if all who may write there are trusted, use --cache-shared.\n");
    String shared = run("load --json @ --cache CACHE --cache-shared").printed();
    assertThat(CommandRun.field(shared, "bytesRead")).isEqualTo("0");
    CommandRun alone = run("load @ --cache-shared");
    assertThat(alone.status()).isEqualTo(2);
    assertThat(alone.err()).contains("Cannot use --cache-shared without --cache");
  }

  @Test
  void cacheThatIsNotThereIsEmpty() {
    assertThat(run("cache CACHE")).isEqualTo(new CommandRun(0, "0 files, 0 segments, 0 B\n", ""));
    assertThat(run("cache CACHE --json").printed())
        .isEqualTo("{\"segments\":0,\"bytes\":0,\"files\":[]}\n");
    assertThat(run("cache CACHE --clear").printed())
        .isEqualTo("0 B deleted\n0 files, 0 segments, 0 B\n");
    assertThat(Path.of(cache)).doesNotExist();
  }

  @Test
  void checkFindsDamage() throws IOException {
    run("load @ --cache CACHE").printed();
    assertThat(run("cache --check CACHE").printed()).endsWith("iB\nall checksums are right\n");
    assertThat(run("cache --check --json CACHE").printed()).endsWith("],\"problems\":[]}\n");
    Path damaged = segments().getFirst();
    byte[] bytes = Files.readAllBytes(damaged);
    bytes[0] ^= 1;
    Files.write(damaged, bytes);
    CommandRun run = run("cache --check CACHE");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).isEmpty();
    String sentence =
        "The segment " + damaged + " of the cache is damaged: the checksum of record 0 is wrong.";
    assertThat(run.out()).endsWith("iB\n" + sentence + "\n");
    CommandRun json = run("cache --check --json CACHE");
    assertThat(json.status()).isEqualTo(1);
    assertThat(json.out()).endsWith("],\"problems\":[\"" + sentence + "\"]}\n");
    assertThat(damaged).exists();
    assertThat(run("cache CACHE").status()).isZero();
  }

  @Test
  void clearDeletesTheCacheAndNothingElse() throws IOException {
    run("load @ --cache CACHE").printed();
    Path mine = Files.writeString(Path.of(cache, "film.part"), "mine");
    assertThat(run("cache --clear CACHE").printed())
        .matches("[0-9.]+ MiB deleted\n0 files, 0 segments, 0 B\n");
    run("load @ --cache CACHE").printed();
    assertThat(run("cache --clear --json CACHE").printed())
        .matches("\\{\"segments\":0,\"bytes\":0,\"files\":\\[],\"bytesDeleted\":[1-9][0-9]+}\n");
    assertThat(Path.of(cache)).isDirectoryContaining(path -> path.equals(mine));
    assertThat(segments()).isEmpty();
  }

  @Test
  void wrongRequestsAreOneSentence() throws IOException {
    assertUsage(
        "cat @ --cache CACHE:1KiB",
        "The size of a cache must be at least 1 MiB, got '1KiB'. Give it more, or leave the cache"
            + " out. [--cache]");
    assertUsage(
        "cat @ --cache CACHE:1much",
        "Cannot read '1much' as a size: expected a number and a unit, such as '128MiB'. [--cache]");
    assertUsage(
        "cat @ --cache=~/cache",
        "Cannot use '~/cache' as a local path: a leading ~ is the home folder to a shell, but"
            + " neither in quotes nor behind '='. Write the path in full, or './~/cache' for that"
            + " name. [--cache]");
    String empty =
        "Cannot use '' as a local path: it is empty, as from a variable that is not set. Name a"
            + " file or folder.";
    assertUsage("cat @ --cache :1GiB", empty + " [--cache]");
    assertUsage("cat @ --cache=", empty + " [--cache]");
    assertUsage("cache ", empty);
    assertUsage(
        "cat @ --cache CACHE:",
        "Cannot read '' as a size: expected a number and a unit, such as '128MiB'. [--cache]");
    String store =
        "Cannot use 's3://bucket/x' as a local path: it is in a store. Name a file or folder of"
            + " this machine.";
    assertUsage("cat @ --cache s3://bucket/x", store + " [--cache]");
    assertUsage("cat @ --cache s3://bucket/x:1GiB", store + " [--cache]");
    assertUsage("cache s3://bucket/x", store);
    assertUsage(
        "cache CACHE --check --clear",
        "Cannot use --check with --clear: check it first, then clear it.");
    assertUsage("cache", "Missing required parameter: 'FOLDER'.");
    cache = Files.writeString(temporary.resolve("file"), "mine").toString();
    CommandRun cat = run("cat @ --cache CACHE");
    assertThat(cat.status()).isEqualTo(1);
    assertThat(cat.err())
        .startsWith("Cannot use '" + cache + "' as a cache: it is a file. Name")
        .hasLineCount(1);
    List<CommandRun> runs = new ArrayList<>();
    for (String options : List.of("", " --check", " --clear", " --json")) {
      runs.add(run("cache CACHE" + options));
    }
    assertThat(runs)
        .containsOnly(
            new CommandRun(
                1,
                "",
                "Cannot look at the cache '"
                    + cache
                    + "': it is a file. Name the folder that was given as the cache.\n"));
  }

  @Test
  void fileUriIsTheFolderOfThatPath() throws IOException {
    assertThat(run("load @ --cache file://CACHE:1GiB").status()).isZero();
    assertThat(segments()).isNotEmpty();
    assertThat(run("cache file://CACHE").printed()).isEqualTo(run("cache CACHE").printed());
  }

  @Test
  void filesToWriteAreLocalToo() {
    for (String option : List.of("--report", "--save-state")) {
      assertUsage(
          "load @ " + option + " s3://bucket/x",
          "Invalid value for option '"
              + option
              + "': Cannot use 's3://bucket/x' as a local path: it is in a store. Name a file or"
              + " folder of this machine.");
    }
  }

  @Test
  void shuffleOfAllRowsSaysWhichCacheItNeeds() {
    for (String wrong : List.of("--shuffle global", "--shuffle global:1 --cache CACHE:1MiB")) {
      CommandRun run = run("load --progress none @ " + wrong);
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err().lines().filter(line -> line.startsWith("Cannot shuffle")))
          .singleElement()
          .asString()
          .containsPattern("Use --cache FOLDER:[0-9]+MiB or --shuffle window:ROWS\\.$");
    }
  }

  private void assertUsage(String line, String sentence) {
    String command = line.split(" ", 2)[0];
    assertThat(run(line))
        .isEqualTo(new CommandRun(2, "", sentence + "\nTry 'penstock " + command + " --help'.\n"));
  }
}
