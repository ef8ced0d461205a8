package dev.penstock.internal.columns;

import dev.penstock.batch.OutputFormat;
import dev.penstock.spi.batch.BatchForm;
import java.util.List;
import java.util.ServiceLoader;

/// The forms of batches from modules on the class or module path.
public final class BatchForms {
  private BatchForms() {}

  /// Loaded only when one is needed, so that a broken module does no other harm.
  private static final class Found {
    private static final List<BatchForm> FORMS =
        ServiceLoader.load(BatchForm.class, BatchForms.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .toList();
  }

  /// Checks that batches can be made in an output format.
  ///
  /// @param output the format
  /// @throws IllegalArgumentException if its module is absent
  public static void require(OutputFormat output) {
    if (isFromModule(output)) {
      form(output);
    }
  }

  static boolean isFromModule(OutputFormat output) {
    return output == OutputFormat.ARROW;
  }

  static BatchForm form(OutputFormat output) {
    return Found.FORMS.stream()
        .filter(form -> form.output() == output)
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "Cannot deliver batches as OutputFormat."
                    + output
                    + ": its module is not on the class path. Add the dependency"
                    + " 'dev.penstock:penstock-arrow', in the version of penstock-core."));
  }
}
