package dev.penstock.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.format.MalformedFileException;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;

/// Runs the targets of a module: what Jazzer calls, the inputs it starts from, and those kept.
public final class Fuzzing {
  private static final int SEEDS = 40;
  private static final int ROWS_MAX = 8000;
  private static final int REFUSALS_MAX = 8;
  private static final long MEMORY_BYTES = 64 << 20;
  private static final String PLACE = "[memory:";

  private static @Nullable Fuzzed chosen;

  private Fuzzing() {}

  /// Writes the good inputs that a fuzzer starts from: `Fuzzing CLASS TARGET FOLDER`.
  public static void main(String[] arguments) throws IOException {
    Fuzzed target = find(arguments);
    Path folder = Files.createDirectories(Path.of(arguments[2]));
    Path work = Files.createTempDirectory("seeds");
    for (int i = 0; i < SEEDS; i++) {
      Files.write(folder.resolve("seed-" + i), target.seed(new Random(i), work));
    }
  }

  /// Called by Jazzer before all inputs, with `CLASS TARGET`. Runs on a good one, so that classes
  /// are loaded before the time of an input counts.
  public static void fuzzerInitialize(String[] arguments) throws IOException {
    chosen = find(arguments);
    chosen.run(chosen.seed(new Random(0), Files.createTempDirectory("seeds")));
  }

  /// Called by Jazzer with every input.
  public static void fuzzerTestOneInput(byte[] data) throws IOException {
    Objects.requireNonNull(chosen).run(data);
  }

  /// Returns a test for each input that was kept, and two for each target: nothing, and zeros.
  public static <T extends Enum<T> & Fuzzed> Stream<DynamicTest> kept(Class<T> targets)
      throws IOException, URISyntaxException {
    List<DynamicTest> tests = new ArrayList<>();
    for (T target : targets.getEnumConstants()) {
      String folder = "fuzz/" + name(target);
      var url = Objects.requireNonNull(targets.getResource(folder), () -> "No inputs: " + folder);
      try (Stream<Path> files = Files.list(Path.of(url.toURI()))) {
        List<Path> inputs = files.sorted().toList();
        assertThat(inputs).as(folder).isNotEmpty();
        for (Path input : inputs) {
          String text = name(target) + "/" + input.getFileName();
          tests.add(DynamicTest.dynamicTest(text, () -> target.run(Files.readAllBytes(input))));
        }
      }
      tests.add(DynamicTest.dynamicTest(name(target) + ": nothing", () -> target.run(new byte[0])));
      tests.add(DynamicTest.dynamicTest(name(target) + ": zeros", () -> target.run(new byte[300])));
    }
    return tests.stream();
  }

  /// Reads a whole file: the same rows in slices of any size, or an error with its place.
  public static void file(FileFormat format, byte[] bytes) throws IOException {
    BytesFile file = new BytesFile(bytes);
    try {
      FileMetadata metadata = format.readMetadata(file);
      if (metadata.rowCount() > ROWS_MAX) {
        return; // Rows without bytes can be as many as a file says.
      }
      for (Field field : metadata.schema().fields()) {
        if (field.type() instanceof DataType.Unsupported) {
          continue;
        }
        Schema column = Schema.of(List.of(field));
        List<@Nullable Object> values = rows(format, file, metadata, column, 500);
        assertThat(rows(format, file, metadata, column, 1)).isEqualTo(values);
        boolean isError = values.size() == 1 && String.valueOf(values.getFirst()).startsWith(PLACE);
        if (!isError) {
          TestMemory enough = new TestMemory(MEMORY_BYTES);
          TestRows.requireRefusals(
              format, file, metadata, column, metadata.rowCount(), enough, REFUSALS_MAX);
        }
      }
    } catch (MalformedFileException e) {
      assertThat(e).hasMessageContaining("[memory://file");
    }
  }

  /// Returns the values, or the place of the error.
  private static List<@Nullable Object> rows(
      FileFormat format, BytesFile file, FileMetadata metadata, Schema column, int most)
      throws IOException {
    TestMemory memory = new TestMemory(MEMORY_BYTES);
    try {
      return TestRows.read(
              format, file, metadata, column, 0, metadata.rowCount(), memory, () -> most)
          .getFirst();
    } catch (MalformedFileException e) {
      List<@Nullable Object> place = new ArrayList<>();
      place.add(String.valueOf(e.getMessage()).replaceFirst("(?s).*\\[memory", "[memory"));
      return place;
    }
  }

  private static String name(Enum<?> target) {
    return target.name().toLowerCase(Locale.ROOT);
  }

  private static Fuzzed find(String[] arguments) {
    List<Enum<?>> targets = new ArrayList<>();
    try {
      for (Object each : Class.forName(arguments[0]).getEnumConstants()) {
        targets.add((Enum<?>) each);
      }
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("No targets in " + arguments[0], e);
    }
    return targets.stream()
        .filter(target -> name(target).equals(arguments[1]))
        .map(Fuzzed.class::cast)
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "No target "
                    + arguments[1]
                    + ": expected one of "
                    + Arrays.toString(targets.stream().map(Fuzzing::name).toArray())));
  }
}
