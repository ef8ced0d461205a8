package dev.penstock;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.batch.OutputFormat;
import org.junit.jupiter.api.Test;

/// What is said when a choice needs a module that is not there, as none is beside core's own tests.
class AbsentModuleTest {
  @Test
  void outputFormatWithoutItsModuleNamesTheDependencyToAdd() {
    StructuredDataset dataset = new StructuredDataset("nowhere");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> dataset.createDataLoader(o -> o.output(OutputFormat.ARROW)))
        .withMessage(
            "Cannot deliver batches as OutputFormat.ARROW: its module is not on the class path. Add"
                + " the dependency 'dev.penstock:penstock-arrow', in the version of"
                + " penstock-core.");
  }
}
