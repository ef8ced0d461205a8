package dev.penstock.blackbox.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;

/// The README and the guides show code that is run, and nothing else.
///
/// After a region of a source was changed, `-Dpenstock.snippets=write` puts it into the pages,
/// below the imports that it needs.
class SnippetsTest {
  @Test
  void codeInTheTextsIsTheCodeThatRuns() throws IOException {
    Map<String, Snippets.Region> regions = Snippets.regions();
    Set<String> shown = new TreeSet<>();
    for (Path path : Snippets.pages()) {
      String text = Files.readString(path);
      String written =
          Snippets.BLOCK
              .matcher(text)
              .replaceAll(block -> Matcher.quoteReplacement(written(block, regions)));
      if ("write".equals(System.getProperty("penstock.snippets"))) {
        Files.writeString(path, written);
      }
      Matcher block = Snippets.BLOCK.matcher(text);
      while (block.find()) {
        assertThat(regions)
            .as(
                "%s: a block of code needs <!-- snippet: NAME --> before it; it is %s",
                path, block.group())
            .containsKey(String.valueOf(block.group("name")));
        shown.add(block.group("name"));
      }
      assertThat(Files.readString(path))
          .as("%s; -Dpenstock.snippets=write renews its snippets", path)
          .isEqualTo(written);
    }
    assertThat(shown).as("regions that a text shows").isEqualTo(regions.keySet());
  }

  private static String written(MatchResult block, Map<String, Snippets.Region> regions) {
    Snippets.Region region = regions.get(String.valueOf(block.group("name")));
    return region == null
        ? block.group()
        : region.page(block.group("name"), block.group("language"));
  }
}
