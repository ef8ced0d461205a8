package dev.penstock.blackbox.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Each promise of the threat model names its tests, and they are there.
class ThreatModelTest {
  private static final Path ROOT = Path.of(System.getProperty("penstock.root", ".."));

  @Test
  void testsOfEachPromiseAreThere() throws IOException {
    NamedTests tests = new NamedTests(ROOT);
    List<String> missing = new ArrayList<>();
    int promises = 0;
    boolean isPromise = false;
    for (String line : Files.readAllLines(ROOT.resolve("docs/design/threat-model.md"))) {
      if (line.equals("| Promise | Test |")) {
        isPromise = true;
      } else if (!line.startsWith("|")) {
        isPromise = false;
      } else if (isPromise && !line.startsWith("|-")) {
        promises++;
        String named = line.substring(line.indexOf(" | "));
        if (!NamedTests.anyIn(named)) {
          missing.add("no test: " + line);
        }
        missing.addAll(tests.missingIn(named));
      }
    }
    assertThat(missing).isEmpty();
    assertThat(promises).isPositive();
  }
}
