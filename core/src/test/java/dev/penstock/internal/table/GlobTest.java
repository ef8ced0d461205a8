package dev.penstock.internal.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.schema.DataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GlobTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /d/*.parquet | /d/a.parquet | true
          /d/*.parquet | /d/x/a.parquet | false
          /d/**/*.parquet | /d/a.parquet | true
          /d/**/*.parquet | /d/x/y/a.parquet | true
          /d/** | /d/x/y/a.parquet | true
          /d/part-?.pq | /d/part-1.pq | true
          /d/part-?.pq | /d/part-12.pq | false
          /d/part-[0-4].pq | /d/part-3.pq | true
          /d/part-[0-4].pq | /d/part-7.pq | false
          /d/part-[!0-4].pq | /d/part-7.pq | true
          /d/part[!0-4]7.pq | /d/part/7.pq | false
          /d/{a,b}/x.pq | /d/b/x.pq | true
          /d/{a,b}/x.pq | /d/c/x.pq | false
          /d/a+(1)*.pq | /d/a+(1)z.pq | true
          /d/part-[^0-4].pq | /d/part-7.pq | true
          /d/[a-cx].pq | /d/b.pq | true
          /d/[a-cx].pq | /d/x.pq | true
          /d/[a-].pq | /d/-.pq | true
          /d/{a{1,2},b}.pq | /d/a2.pq | true
          /d/{a{1,2},b}.pq | /d/a.pq | false
          /d/{a,}.pq | /d/.pq | true
          /d/*a,b}.pq | /d/xa,b}.pq | true
          /d/?.pq | /d/😀.pq | true
          *.pq | ./a.pq | true
          sub/*.pq | sub/a.pq | true
          """)
  void matchesAsAShellDoes(String glob, String text, boolean matches) {
    assertThat(Glob.parse(glob).matches(text)).isEqualTo(matches);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /d/*/x-*.pq | /d/a | true
          /d/*/x-*.pq | /d/a/x-1.pq | true
          /d/*/x-*.pq | /d/a/b | false
          /d/*.pq | /d/a | false
          /d/*.pq | /d/a.pq | true
          /d/{a,b/c}/x.pq | /d/b | true
          /d/{a,b/c}/x.pq | /d/b/c | true
          /d/{a,b/c}/x.pq | /d/c | false
          /d/[ab]1/x.pq | /d/a1 | true
          /d/[ab]1/x.pq | /d/c1 | false
          /d/[!c]/x.pq | /d/a | true
          /d/[!c]/x.pq | /d/c | false
          /d/**/x.pq | /d/a/b | true
          /d/a/**/x.pq | /d/a | true
          /d/a?/**/x.pq | /d/b1 | false
          /d/** | /d/a/b | true
          *.pq | ./a | false
          */a.pq | ./b | true
          """)
  void readsFoldersInWhichAMatchIsPossible(String glob, String folder, boolean possible) {
    assertThat(Glob.parse(glob).mayHold(folder)).isEqualTo(possible);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /d/x/*.parquet | /d/x
          /*.parquet | /
          *.parquet | .
          a/b?/c.parquet | a
          """)
  void listsTheFolderBeforeTheFirstWildcard(String glob, String folder) {
    assertThat(Glob.parse(glob).folder()).isEqualTo(folder);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /d//x/*.pq | /d/x | /d/x/a.pq
          /d/x/*.pq | /d/x | /d/x/a.pq
          s3://b/x/*.pq | s3://b/x/ | s3://b/x/a.pq
          /*.pq | / | /a.pq
          *.pq | . | ./a.pq
          """)
  void matchesBelowItsFolderAsThatIsListed(String glob, String listed, String file) {
    assertThat(Glob.parse(glob).in(listed).matches(file)).isTrue();
    assertThat(Glob.parse(glob).in(listed).matches(file + "x")).isFalse();
  }

  /// Patterns that a matcher that goes back takes longer for than the world lasts.
  @Test
  void manyWildcardsTakeNoLongTime() {
    String name = "/d/" + "a".repeat(5_000);
    assertThat(Glob.parse("/d/" + "*a".repeat(60) + "b").matches(name)).isFalse();
    assertThat(Glob.parse("/" + "**/*".repeat(60) + "b").matches(name)).isFalse();
    assertThat(Glob.parse("/d/" + "{a,aa,*}".repeat(60) + "b").mayHold(name)).isFalse();
    CastRule rule = CastRule.of("*a".repeat(60) + "b", new DataType.Floating(64), false);
    assertThat(rule.matches(name, new Names(true))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/d/{a,b", "/d/{a{b,c}", "/d/[z-a]"})
  void unfinishedGlobsAreRefused(String glob) {
    assertThatThrownBy(() -> Glob.parse(glob))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot read '" + glob + "' as a glob: ");
  }

  @Test
  void openSetIsRefused() {
    assertThatThrownBy(() -> Glob.parse("/d/[ab.parquet"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'[' at character 3 has no ']'");
  }
}
