package dev.penstock.internal.columns;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.internal.choice.ServiceLookup;
import dev.penstock.internal.choice.Services;
import dev.penstock.spi.batch.BatchForm;
import java.util.List;

/// The forms of batches from modules on the class or module path.
public final class BatchForms {
  private static final ServiceLookup<BatchForm> FORMS =
      new ServiceLookup<>(
          BatchForm.class, form -> List.of(Services.given(form.output(), "output()").name()));

  private BatchForms() {}

  /// Checks that batches can be made in an output format.
  ///
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
    Services<BatchForm> forms = FORMS.here();
    return forms
        .named(output.name())
        .orElseThrow(() ->
            Advice.argumentError(
                "Cannot deliver batches as %s: its module is not on the class path. %s%s",
                Remedy.output(output.name()), Remedy.module("arrow"), forms.leftOut()));
  }
}
