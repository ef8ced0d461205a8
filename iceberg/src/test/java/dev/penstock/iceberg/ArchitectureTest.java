package dev.penstock.iceberg;

import dev.penstock.testing.Arrows;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/// The packages of the module and the arrows between them, as docs/design/arrows.txt draws them.
class ArchitectureTest {
  @Test
  void packagesFormNoCyclesAndUseEachOtherAsDrawn() throws IOException {
    Arrows arrows = Arrows.of("dev.penstock.iceberg");
    arrows.assertFormNoCycles();
    arrows.assertAreThoseThatAreDrawn();
  }
}
