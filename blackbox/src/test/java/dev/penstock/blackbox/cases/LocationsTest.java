package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.testing.MemoryStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which files a location stands for, and in which order they are read.
class LocationsTest {
  @TempDir static Path root;

  /// Each file has its number as its only row.
  @BeforeAll
  static void writeFiles() throws IOException {
    Folder folder = new Folder(root);
    List<String> names =
        List.of(
            "a/x1.parquet",
            "a/x2.parquet",
            "a/y1.parquet",
            "b/c/x1.parquet",
            "b/c/x10.parquet",
            "b/with space/x1.parquet",
            "d[1]/x1.parquet",
            "e/X.PARQUET",
            "e/_hidden/x1.parquet",
            "e/.x2.parquet");
    for (int i = 0; i < names.size(); i++) {
      folder.write(names.get(i), Folder.ID, Folder.ids(i, i + 1));
    }
    Files.move(
        folder.write("f/part-0000.parquet", Folder.ID, Folder.ids(10, 11)),
        root.resolve("f/part-0000"));
    Files.writeString(root.resolve("f/_SUCCESS"), "");
  }

  private static List<Long> ids(String... locations) {
    StructuredDataset dataset = new StructuredDataset(locations);
    try (DataLoader loader = DataLoader.of(dataset, Folder.options())) {
      return Delivery.ofEpoch(loader).ids();
    }
  }

  private static String at(String below) {
    return root + "/" + below;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a | 0 1 2",
        "a/ | 0 1 2",
        "a/x2.parquet | 1",
        "a/*.parquet | 0 1 2",
        "a/x?.parquet | 0 1",
        "a/{x2,y1}.parquet | 1 2",
        "a/[xy]1.parquet | 0 2",
        "a/[!x]*.parquet | 2",
        "*/x1.parquet | 0 6",
        "**/x1.parquet | 0 3 5 6",
        "b/**/*.parquet | 3 4 5",
        "b//**/*.parquet | 3 4 5",
        "a//*.parquet | 0 1 2",
        "/b/../a/*.parquet | 0 1 2",
        "b | 3 4 5",
        "b/with space | 5",
        "d[1] | 6",
        "e | 7",
        "e/_hidden | 8",
        "e/.x2.parquet | 9",
        "f | 10"
      })
  void locationStandsForItsFilesSortedByPath(String location, String ids) {
    List<Long> expected = List.of(ids.split(" ")).stream().map(Long::valueOf).toList();
    assertThat(ids(at(location))).isEqualTo(expected);
    assertThat(ids("file://" + at(location))).isEqualTo(expected);
    assertThat(ids("file:" + at(location))).isEqualTo(expected);
  }

  @Test
  void severalLocationsAreOneDatasetInPathOrder() {
    assertThat(ids(at("b"), at("a/y1.parquet"), at("a/x*")))
        .containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void relativePathsStartAtTheWorkingDirectory() throws IOException {
    Folder here = new Folder(Path.of("relative"));
    Path file = here.write("x.parquet", Folder.ID, Folder.ids(3, 5));
    try {
      assertThat(ids("relative")).containsExactly(3L, 4L);
      assertThat(ids("./relative/")).containsExactly(3L, 4L);
      assertThat(ids("relative/*.parquet")).containsExactly(3L, 4L);
      assertThat(ids("rel*/*.parquet")).containsExactly(3L, 4L);
      assertThat(ids("**/x.parquet")).containsExactly(3L, 4L);
      assertThat(new StructuredDataset("relative").files().getFirst().location().text())
          .isEqualTo("relative/x.parquet");
    } finally {
      Files.delete(file);
      Files.delete(file.getParent());
    }
  }

  @Test
  void fileNamedTwiceInTwoSpellingsIsRefused() {
    assertThatThrownBy(() -> ids(at("a/x1.parquet"), at("./a/../a/x1.parquet")))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("twice");
  }

  @Test
  void globThatMatchesNothingSaysSo() {
    assertThatThrownBy(() -> ids(at("a/*.orc")))
        .hasMessageContaining("Cannot find any data in '" + at("a/*.orc") + "'");
    assertThatThrownBy(() -> ids(at("nowhere/*.parquet")))
        .hasMessage(
            ("Cannot read '%s': there is no folder '%s' to look in. Check the path;"
                    + " relative paths start at the working directory.")
                .formatted(at("nowhere/*.parquet"), at("nowhere")));
  }

  @Test
  void globThatIsNoneIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ids(at("a/[x.parquet")))
        .withMessageContaining("has no ']'");
  }

  @Test
  void folderThatContainsItselfIsAnError(@TempDir Path folder) throws IOException {
    new Folder(folder).counting(new int[] {3});
    Files.createSymbolicLink(folder.resolve("loop"), folder);
    assertThatThrownBy(() -> ids(folder.toString()))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage(
            "Cannot read '%s/loop': the link leads to a folder that contains it. Remove the link."
                .formatted(folder));
  }

  @Test
  void foldersThatHoldNothingWantedAreNotRead(@TempDir Path folder) throws IOException {
    new Folder(folder).write("a/x1.parquet", Folder.ID, Folder.ids(0, 2));
    for (String unreadable : List.of("loop", "a/loop", "_loop")) {
      Files.createSymbolicLink(folder.resolve(unreadable), folder);
    }
    for (String glob : List.of("a/*.parquet", "a/x?.parquet", "{a,b}/*.parquet", "[ab]/x*")) {
      assertThat(ids(folder + "/" + glob)).as(glob).containsExactly(0L, 1L);
    }
    Files.delete(folder.resolve("loop"));
    Files.delete(folder.resolve("a/loop"));
    assertThat(ids(folder.toString())).containsExactly(0L, 1L);
    assertThat(ids(folder + "/**/*.parquet")).containsExactly(0L, 1L);
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void whatIsNoRegularFileIsAnError(@TempDir Path folder) throws IOException {
    new Folder(folder).counting(new int[] {3});
    Path device = Path.of("/dev/null");
    Path link = Files.createSymbolicLink(folder.resolve("part-1.parquet"), device);
    for (Path location : List.of(device, link, folder)) {
      assertThatThrownBy(() -> ids(location.toString()))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessage(
              "Cannot read '%s': it is a pipe or a device, but files are read in any order and more"
                  + " than once. Write it to a file first.",
              location.equals(device) ? device : link);
    }
    assertThat(ids(folder + "/part-[!1].parquet")).containsExactly(0L, 1L, 2L);
    Files.delete(link); // JUnit warns of links out of its folder
  }

  @Test
  void linkToNothingIsAnErrorThatNamesIt(@TempDir Path folder) throws IOException {
    new Folder(folder).counting(new int[] {3});
    Path link = folder.resolve("part-1.parquet");
    Files.createSymbolicLink(link, folder.resolve("gone"));
    assertThatThrownBy(() -> ids(folder.toString()))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("Cannot read '" + link + "': it is gone.");
  }

  // --- Tables of table formats

  @TempDir static Path lakes;

  private static Path withTable(String folder, String mark) throws IOException {
    Path lake = Files.createTempDirectory(lakes, "lake");
    new Folder(lake).write(folder + "/x1.parquet", Folder.ID, Folder.ids(0, 1));
    new Folder(lake).write("loose/x1.parquet", Folder.ID, Folder.ids(1, 2));
    Path file = lake.resolve(folder).resolve(mark);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "{}");
    return lake;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "_delta_log/00000000000000000000.json | is a Delta table",
        ".hoodie/hoodie.properties | is a Hudi table",
        "metadata/v1.metadata.json | is an Iceberg table",
        "metadata/00001-0b.gz.metadata.json | is an Iceberg table",
      })
  void tableIsNotReadAsLooseFilesUnlessTheirFormatIsNamed(String mark, String expected)
      throws IOException {
    Path lake = withTable("t", mark);
    String table = lake + "/t";
    for (String location : List.of(table, table + "/", lake.toString(), lake + "/**/*.parquet")) {
      assertThatThrownBy(() -> ids(location))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageStartingWith("Cannot read '" + location + "' as loose files: '" + table + "' ")
          .hasMessageContaining(expected)
          .hasMessageEndingWith("format(\"parquet\"), or --format parquet.");
    }
    StructuredDataset named = new StructuredDataset(lake.toString()).format("parquet");
    try (DataLoader loader = DataLoader.of(named, Folder.options())) {
      assertThat(Delivery.ofEpoch(loader).ids()).containsExactlyInAnyOrder(0L, 1L);
    }
    assertThat(ids(table + "/x1.parquet")).containsExactly(0L); // a file that is named itself
    assertThat(ids(lake + "/loose")).containsExactly(1L);
    assertThat(ids(lake + "/l*/*.parquet")).containsExactly(1L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "_delta_log/00000000000000000000.json",
        ".hoodie/hoodie.properties",
        "metadata/v1.metadata.json"
      })
  void folderOfATablesDataIsNotReadAsLooseFiles(String mark) throws IOException {
    Path lake = withTable("t", mark);
    for (String inner : List.of("part=1", "part=1/day=2", "data", "data/part=1")) {
      new Folder(lake).write("t/" + inner + "/x1.parquet", Folder.ID, Folder.ids(3, 4));
      String folder = lake + "/t/" + inner;
      for (String location : List.of(folder, folder + "/*.parquet")) {
        assertThatThrownBy(() -> ids(location))
            .hasMessageStartingWith(
                "Cannot read '" + location + "' as loose files: '" + lake + "/t'");
      }
      assertThatThrownBy(() -> ids(MemoryStorage.site().put(lake).location() + "/t/" + inner))
          .hasMessageContaining("as loose files");
      StructuredDataset named = new StructuredDataset(folder).format("parquet");
      try (DataLoader loader = DataLoader.of(named, Folder.options())) {
        assertThat(Delivery.ofEpoch(loader).ids()).contains(3L);
      }
    }
    new Folder(lake).write("loose/part=1/x1.parquet", Folder.ID, Folder.ids(5, 6));
    assertThat(ids(lake + "/loose/part=1")).containsExactly(5L);
  }

  @Test
  void tableIsFoundInAStoreWithoutFolders() throws IOException {
    Path lake = withTable("t", "_delta_log/00000000000000000000.json");
    MemoryStorage.Site site = MemoryStorage.site().put(lake);
    assertThatThrownBy(() -> ids(site.location() + "/t")).hasMessageContaining("is a Delta table");
    assertThatThrownBy(() -> ids(site.location())).hasMessageContaining("is a Delta table");
    assertThat(ids(site.location() + "/l*/*.parquet")).containsExactly(1L);
  }

  @Test
  void namesThatOnlyLookLikeTablesAreLooseFiles() throws IOException {
    Path lake = withTable("t", "x_delta_log/a.json");
    assertThatThrownBy(() -> ids(lake.toString())).hasMessageContaining("as one dataset");
    assertThat(ids(lake + "/t/*.parquet")).containsExactly(0L);
  }
}
