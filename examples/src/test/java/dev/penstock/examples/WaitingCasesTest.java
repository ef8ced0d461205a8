package dev.penstock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WaitingCasesTest {
  /// What the bottleneck is depends on the machine; that both runs of a case deliver the same rows
  /// and that its page has both does not.
  @Test
  void eachCaseHasAPageWithBothRuns(@TempDir Path folder) throws Exception {
    List<WaitingCases.Case> cases = new WaitingCases(folder, 2).run();
    assertThat(cases).extracting(WaitingCases.Case::name).hasSize(6).doesNotHaveDuplicates();
    for (WaitingCases.Case each : cases) {
      assertThat(each.better().stats().rows()).isEqualTo(each.waits().stats().rows());
      assertThat(each.waits().timeline().isEmpty()).isFalse();
      assertThat(Files.readString(folder.resolve(each.name() + ".html"))).contains("id=\"report\"");
    }
  }
}
