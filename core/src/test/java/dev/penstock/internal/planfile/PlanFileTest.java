package dev.penstock.internal.planfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.spi.storage.FileEntry;
import dev.penstock.storage.Location;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlanFileTest {
  private static final PlanOrigin ORIGIN =
      new PlanOrigin(List.of("a", "b"), "", "csv", Map.of("k", "v"), Map.of());
  private static final FileEntry FILE = file("a/1", 7, "v1");

  private static FileEntry file(String name, long bytes, String version) {
    return new FileEntry(new Location(name), bytes, false, version);
  }

  @Test
  void hashIsTheSameOnEveryMachine() {
    assertThat(PlanFile.hash(ORIGIN, List.of(FILE))).isEqualTo("941d7ffee7dd81f125b900bdffc03aeb");
    assertThat(PlanFile.name("12")).isEqualTo("plan-12.penstock-plan");
  }

  @Test
  void hashDiffersWithEverythingThatAPlanDependsOn() {
    TreeMap<String, String> none = new TreeMap<>();
    TreeMap<String, String> some = new TreeMap<>(Map.of("k", "v"));
    List<String> a = List.of("a");
    List<String> b = List.of("b");
    List<FileEntry> files = List.of(FILE);
    Instant now = Instant.EPOCH;
    List<String> hashes =
        Stream.of(
                PlanFile.hash(new PlanOrigin(a, "", "csv", none, none, List.of(), ""), files),
                PlanFile.hash(new PlanOrigin(b, "", "csv", none, none, List.of(), ""), files),
                PlanFile.hash(new PlanOrigin(a, "1", "csv", none, none, List.of(), ""), files),
                PlanFile.hash(new PlanOrigin(a, "", "json", none, none, List.of(), ""), files),
                PlanFile.hash(new PlanOrigin(a, "", "csv", some, none, List.of(), ""), files),
                PlanFile.hash(new PlanOrigin(a, "", "csv", none, some, List.of(), ""), files),
                PlanFile.hash(ORIGIN, List.of()),
                PlanFile.hash(ORIGIN, List.of(FILE)),
                PlanFile.hash(ORIGIN, List.of(FILE, FILE)),
                PlanFile.hash(ORIGIN, List.of(file("a/2", 7, "v1"))),
                PlanFile.hash(ORIGIN, List.of(file("a/1", 8, "v1"))),
                PlanFile.hash(ORIGIN, List.of(file("a/1", 7, "v2"))),
                PlanFile.hash(ORIGIN, List.of(file("a/1", 7, ""))),
                PlanFile.hash(
                    ORIGIN,
                    List.of(new FileEntry(new Location("a/1"), 7, false, "", Optional.of(now)))))
            .toList();
    assertThat(hashes).doesNotHaveDuplicates();
  }

  @Test
  void hashIsThatOfThePlanWithoutDetails() {
    TreeMap<String, String> none = new TreeMap<>();
    PlanOrigin detailed =
        new PlanOrigin(ORIGIN.locations(), "", "csv", none, none, List.of("x"), "x > 1");
    PlanOrigin plain = new PlanOrigin(ORIGIN.locations(), "", "csv", none, none);
    assertThat(PlanFile.hash(detailed, List.of(FILE)))
        .isEqualTo(PlanFile.hash(plain, List.of(FILE)));
  }

  @Test
  void planOfOtherOptionsIsRefusedWithBothValues() {
    PlanOrigin here = new PlanOrigin(List.of("a", "b"), "", "csv", Map.of("k", "w"), Map.of());
    assertThatThrownBy(() -> ORIGIN.require(new Location("p"), here))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot use plan 'p': the options of the format are '{k=w}' here but '{k=v}' in the"
                + " plan. Use the options that it was made with, or make a new plan.");
    ORIGIN.require(new Location("p"), ORIGIN);
  }
}
