package dev.penstock.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.StructuredDataset;
import dev.penstock.advice.Remedy;
import dev.penstock.options.LoaderOptions;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The options that errors advise, in the sources of all modules: each is in the table, so that all
/// doors have a name for it, or one of Java alone.
class RemediesTest {
  private static final Path ROOT =
      Path.of(Objects.requireNonNullElse(System.getProperty("penstock.root"), ".."));
  private static final Pattern NAMED =
      Pattern.compile("Remedy\\s*\\.(?:of|call|name)\\(\\s*\"([^\"]*)\"");

  private static Set<String> advised() throws IOException {
    Set<String> advised =
        Stream.of(
                Remedy.FORMAT,
                Remedy.CAST,
                Remedy.MISSING_COLUMNS,
                Remedy.STATE,
                Remedy.SHUFFLE_WINDOW,
                Remedy.MAP_LOCATION,
                Remedy.formatOption("header"),
                Remedy.storageOption("region"),
                Remedy.catalogOption("uri"),
                Remedy.nulls("nan"),
                Remedy.output("MAP"))
            .map(Remedy.Option::name)
            .collect(Collectors.toCollection(HashSet::new));
    try (Stream<Path> files =
        Files.find(ROOT, 20, (file, _) -> file.toString().matches(".*/src/main/java/.*\\.java"))) {
      for (Path file : files.toList()) {
        NAMED
            .matcher(Files.readString(file))
            .results()
            .map(found -> found.group(1))
            .forEach(advised::add);
      }
    }
    return advised;
  }

  @Test
  void everyOptionThatIsAdvisedIsOne() throws IOException {
    // What a saved state is, what core does not see of a scorer, and a pass for the rows of steps.
    Set<String> java = new HashSet<>(Set.of("state", "input", "onError", "pass"));
    for (Class<?> owner : Set.of(LoaderOptions.class, StructuredDataset.class)) {
      for (Method method : owner.getMethods()) {
        java.add(method.getName());
      }
    }
    Set<String> advised = advised();
    assertThat(advised).hasSizeGreaterThan(10);
    assertThat(advised)
        .allMatch(name -> OptionTable.named(name).isPresent() || java.contains(name));
  }
}
