package dev.penstock.testing;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The arrows between the packages of a module, as they are and as they are drawn.
///
/// @param front the module's first package, that all others are below
/// @param classes what the module's packages have, but for tests
public record Arrows(String front, JavaClasses classes) {
  private static final String CORE = "dev.penstock";

  /// The modules beside core that are drawn.
  private static final List<String> OTHERS =
      List.of("dev.penstock.cli", "dev.penstock.delta", "dev.penstock.iceberg");

  /// The drawing, seen from the folder of a module.
  private static final Path DRAWING = Path.of("../docs/design/arrows.txt");

  /// A line of it such as `dev.penstock.data -> batch, sample`.
  private static final Pattern LINE = Pattern.compile("(?m)^(dev\\.penstock[\\w.]*) +-> (.+)$");

  /// Finds the classes of a module on the class path.
  public static Arrows of(String front) {
    return new Arrows(
        front,
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(front));
  }

  /// Asserts that no package uses itself by way of others.
  public void assertFormNoCycles() {
    slices().matching("dev.(**)").should().beFreeOfCycles().check(classes);
  }

  /// Asserts that the packages use those that are drawn, and no others of the module.
  public void assertAreThoseThatAreDrawn() throws IOException {
    assertThat(actual()).as("arrows of %s, drawn in %s", front, DRAWING).isEqualTo(drawn());
  }

  private Map<String, Set<String>> actual() {
    Map<String, Set<String>> actual = new TreeMap<>();
    for (JavaClass from : classes) {
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        String to = dependency.getTargetClass().getBaseComponentType().getPackageName();
        if (isWithin(to, front) && !to.equals(from.getPackageName())) {
          actual.computeIfAbsent(from.getPackageName(), _ -> new TreeSet<>()).add(to);
        }
      }
    }
    return actual;
  }

  private Map<String, Set<String>> drawn() throws IOException {
    Map<String, Set<String>> drawn = new TreeMap<>();
    Matcher line = LINE.matcher(Files.readString(DRAWING));
    while (line.find()) {
      if (module(line.group(1)).equals(front)) {
        Set<String> used = new TreeSet<>();
        for (String room : line.group(2).split(", ", -1)) {
          used.add(room.equals(front) ? room : front + "." + room);
        }
        drawn.put(line.group(1), used);
      }
    }
    return drawn;
  }

  private static String module(String room) {
    return OTHERS.stream().filter(other -> isWithin(room, other)).findFirst().orElse(CORE);
  }

  private static boolean isWithin(String room, String front) {
    return room.equals(front) || room.startsWith(front + ".");
  }
}
