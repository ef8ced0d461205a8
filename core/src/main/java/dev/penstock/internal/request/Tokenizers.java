package dev.penstock.internal.request;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.choice.ServiceLookup;
import dev.penstock.internal.choice.Services;
import dev.penstock.options.LoaderOptions;
import dev.penstock.transform.Transform;
import java.util.List;

/// Finds the module that makes token ids of texts.
final class Tokenizers {
  private static final ServiceLookup<TokenizerModule> MODULES =
      new ServiceLookup<>(TokenizerModule.class, _ -> List.of("tokens"));

  private Tokenizers() {}

  /// Tokenises columns.
  static LoaderOptions tokenize(LoaderOptions options, List<LoadRequest.Tokenize> columns) {
    return columns.stream()
        .map(Tokenizers::transform)
        .reduce(Transform::andThen)
        .map(options::transform)
        .orElse(options);
  }

  private static Transform transform(LoadRequest.Tokenize asked) {
    Services<TokenizerModule> modules = MODULES.here();
    return modules
        .named("tokens")
        .orElseThrow(() ->
            Advice.argumentError(
                "Cannot tokenise column '%s': its module is not on the class path. %s%s",
                asked.column(), Remedy.module("tokens"), modules.leftOut()))
        .tokenize(asked);
  }
}
