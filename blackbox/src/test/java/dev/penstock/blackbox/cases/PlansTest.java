package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.SavedPlan;
import dev.penstock.StructuredDataset;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.split.Rank;
import dev.penstock.testing.MemoryStorage;
import dev.penstock.testing.MemoryStorage.Site;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Plans of eight Parquet files of 100 rows in 4 row groups, behind a network.
///
/// That rows, orders and states are the same with a plan is a matter of [RecordedOrdersTest] and
/// the contracts.
class PlansTest {
  private static final int FILES = 8;

  private final Site site = MemoryStorage.site();
  @TempDir private Path folder;

  @BeforeEach
  void writeFiles() throws IOException {
    int[][] groups = new int[FILES][];
    Arrays.fill(groups, new int[] {25, 25, 25, 25});
    Path written = ParquetFiles.prunable().write(folder, Tables.counting(groups), new Random(3));
    for (int file = 0; file < FILES; file++) {
      site.put("data/" + name(file), Files.readAllBytes(written.resolve(name(file))));
    }
  }

  @AfterEach
  void removeSite() {
    site.remove();
  }

  private static String name(int file) {
    return "part-" + file + ".parquet";
  }

  private String at(String path) {
    return site.location() + "/" + path;
  }

  private StructuredDataset dataset() {
    return new StructuredDataset(at("data"));
  }

  private static LoaderOptions options() {
    return LoaderOptions.defaults().batchSize(40).workers(1);
  }

  private static List<Long> ids(StructuredDataset dataset, LoaderOptions options) {
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      return Delivery.ofEpoch(loader).ids();
    }
  }

  private Set<String> namesRead() {
    return site.requests().stream()
        .map(request -> request.location().name())
        .collect(Collectors.toSet());
  }

  @Test
  void aRankListsNothingAndOpensOnlyItsFiles() {
    LoaderOptions options = options().rank(new Rank(1, 4));
    StructuredDataset small = dataset().splitRows(100);
    List<Long> expected = ids(small, options);
    SavedPlan plan = dataset().savePlan(at("plan"));
    assertThat(plan.isNew()).isTrue();
    site.put("data/part-9.parquet", new byte[9]); // a list would have it
    site.requests().clear();
    assertThat(ids(small.plan(at("plan")), options)).isEqualTo(expected).hasSize(200);
    assertThat(namesRead()).hasSize(3).contains("plan");
  }

  @Test
  void aFilterReadsNoFooterWhereThePlanHasTheStatistics() {
    SavedPlan _ = dataset().savePlan(at("plan"), "id");
    site.requests().clear();
    StructuredDataset some = dataset().plan(at("plan")).where("id >= 330 and id < 340");
    assertThat(ids(some, options().rank(Rank.SINGLE))).hasSize(10);
    assertThat(namesRead()).containsExactlyInAnyOrder("plan", name(3));
  }

  /// Statistics leave each row group open.
  private static final String FOLDS = "fold(id, 3, 7) in (0)";

  private long batches(StructuredDataset dataset) {
    site.requests().clear();
    try (DataLoader loader = DataLoader.of(dataset, options().rank(new Rank(1, 4)))) {
      return loader.batchesPerEpoch();
    }
  }

  @Test
  void ranksDoNotCountWhatThePlanHas() {
    StructuredDataset some = dataset().where(FOLDS);
    LoaderOptions options = options().rank(new Rank(1, 4));
    List<Long> expected = ids(some, options);
    assertThat(some.savePlan(at("plan")).isNew()).isTrue();
    StructuredDataset planned = some.plan(at("plan"));
    long counted = batches(some);
    assertThat(namesRead()).hasSize(FILES);
    assertThat(batches(planned)).isEqualTo(counted);
    assertThat(namesRead()).containsExactly("plan");
    site.requests().clear();
    assertThat(ids(planned, options)).isEqualTo(expected).isNotEmpty();
    assertThat(namesRead()).hasSizeLessThan(1 + FILES / 2);
    assertThat(planned.rowCount()).isEqualTo(some.rowCount());
  }

  @Test
  void ranksCountWhatThePlanDoesNotHave() {
    SavedPlan _ = dataset().where(FOLDS).savePlan(at("plan"));
    StructuredDataset planned = dataset().plan(at("plan"));
    for (StructuredDataset other :
        List.of(
            planned.where("fold(id, 3, 8) = 0"),
            planned.castLossy("id", DataType.int64()).where(FOLDS),
            planned.cast("id", DataType.int32()).where(FOLDS))) {
      assertThat(batches(other)).isPositive();
      assertThat(namesRead()).hasSizeGreaterThan(FILES - 1);
    }
    assertThatThrownBy(() -> dataset().where("id < 7").savePlan(at("plan")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot save a plan as '"
                + at("plan")
                + "': there is one with the matches of '"
                + FOLDS
                + ", id: int64' but not of 'id < 7, id: int64'. Name another file, or remove it.");
  }

  @Test
  void aPlanInAFolderIsMadeByWhoeverComesFirst() throws Exception {
    List<Future<List<Long>>> makers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int rank = 0; rank < 4; rank++) {
        LoaderOptions options = options().rank(new Rank(rank, 4));
        makers.add(threads.submit(() -> ids(dataset().plan(at("plans/")), options)));
      }
    }
    int rows = 0;
    for (Future<List<Long>> maker : makers) {
      rows += maker.get().size();
    }
    assertThat(rows).isEqualTo(FILES * 100);
    SavedPlan there = dataset().savePlan(at("plans/"));
    assertThat(there.isNew()).isFalse();
    assertThat(there.location().name()).matches("plan-[0-9a-f]{32}\\.penstock-plan");
    site.requests().clear();
    assertThat(dataset().plan(at("plans/")).files()).hasSize(FILES);
    assertThat(namesRead()).containsExactly(there.location().name());
    site.put("data/more.parquet", read("data/" + name(0)));
    assertThat(dataset().savePlan(at("plans/")).location()).isNotEqualTo(there.location());
  }

  @Test
  void plansBesideTheFilesAreNotData() {
    String plans = at("data/");
    assertThat(dataset().savePlan(plans).isNew()).isTrue();
    assertThat(dataset().savePlan(plans).isNew()).isFalse();
    assertThat(dataset().plan(plans).warnings()).isEmpty();
    assertThat(dataset().warnings()).isEmpty();
  }

  private byte[] read(String path) throws IOException {
    return Files.readAllBytes(folder.resolve(Path.of(path).getFileName().toString()));
  }

  @Test
  void aPlanThatIsThereIsLeftIfItIsTheSame() {
    SavedPlan _ = dataset().savePlan(at("plan"), "id");
    assertThat(dataset().savePlan(at("plan")).isNew()).isFalse();
    assertThat(dataset().plan(at("plan")).savePlan(at("plan"), "id").isNew()).isFalse();
    SavedPlan _ = dataset().savePlan(at("plain"));
    assertThatThrownBy(() -> dataset().savePlan(at("plain"), "id"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot save a plan as '"
                + at("plain")
                + "': there is one with statistics of [] but not all of [id]. Name another file, or"
                + " remove it.");
    assertThatThrownBy(() -> new StructuredDataset(at("data/*0.parquet")).savePlan(at("plain")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there is one of other files, versions or options.");
  }

  @Test
  void aPlanOfSomethingElseIsRefused() {
    SavedPlan _ = dataset().savePlan(at("plan"));
    assertRefused(
        new StructuredDataset(at("data/*")), "the locations are '[" + at("data/*") + "]' here but");
    assertRefused(dataset().formatOption("page-index", "ignore"), "the options of the format are");
    assertRefused(dataset().hivePartitions(), "the rules are '{partitioning=hive}' here but '{}'");
    assertRefused(dataset().format("csv"), "the format is 'csv' here but 'parquet' in the plan");
  }

  private void assertRefused(StructuredDataset other, String why) {
    StructuredDataset planned = other.plan(at("plan"));
    assertThatThrownBy(planned::files)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot use plan '" + at("plan") + "': ")
        .hasMessageContaining(why);
  }

  @Test
  void aPlanThatIsNotThereSaysHowToMakeIt() {
    StructuredDataset planned = dataset().plan(at("plan"));
    assertThatThrownBy(planned::files)
        .hasMessage(
            "Cannot read plan '"
                + at("plan")
                + "': no such file. Make it with 'penstock plan LOCATION --save PLAN', or name a"
                + " folder of plans, which ends in '/'.");
  }

  @Test
  void aDamagedPlanNamesTheBlock() throws IOException {
    Path local = folder.resolve("plan");
    SavedPlan _ = new StructuredDataset(folder.toString()).savePlan(local.toString());
    byte[] plan = Files.readAllBytes(local);
    plan[5] ^= 1;
    Files.write(local, plan);
    StructuredDataset damaged = new StructuredDataset(folder.toString()).plan(local.toString());
    assertThatThrownBy(damaged::files)
        .hasMessageStartingWith("Corrupt plan: its checksum is ")
        .hasMessageContaining("Remove it and make it anew.")
        .hasMessageContaining("block 0, files 0 to 7");
  }

  @Seeded(runs = 200)
  void aFileThatIsNotAsItWasPlannedIsNamed(Random random) throws IOException {
    StructuredDataset planned = dataset().plan(at("plan"));
    SavedPlan _ = dataset().savePlan(at("plan"));
    String path = "data/" + name(random.nextInt(FILES));
    byte[] content = read(path);
    switch (random.nextInt(4)) {
      case 0 -> site.delete(path);
      case 1 -> site.put(path, Arrays.copyOf(content, random.nextInt(content.length)));
      case 2 -> site.put(path, read(name(random.nextInt(FILES))).clone());
      default -> {
        byte[] changed = content.clone();
        changed[random.nextInt(changed.length)] ^= 1;
        site.put(path, changed);
      }
    }
    try {
      assertThatThrownBy(() -> ids(planned, options().rank(Rank.SINGLE)))
          .hasMessageContaining(path);
    } finally {
      site.delete("plan");
      site.put(path, content);
    }
  }

  @Test
  void aLocalFileThatChangedIsNamedWithBothSizesAndTheCommand() throws IOException {
    String plan = folder.resolve("plan").toString();
    StructuredDataset local = new StructuredDataset(folder.toString());
    assertThat(local.savePlan(plan).isNew()).isTrue();
    Path file = folder.resolve(name(2));
    long size = Files.size(file);
    Files.write(file, new byte[] {1}, java.nio.file.StandardOpenOption.APPEND);
    assertThatThrownBy(() -> ids(local.plan(plan), options().rank(Rank.SINGLE)))
        .hasMessageContaining("it has " + (size + 1) + " bytes but had " + size)
        .hasMessageContaining("It is in plan '" + plan + "'. Make a new plan with 'penstock plan")
        .hasMessageContaining(file.toString());
  }
}
