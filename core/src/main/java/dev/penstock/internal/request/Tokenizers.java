package dev.penstock.internal.request;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.choice.ServiceLookup;
import dev.penstock.internal.choice.Services;
import dev.penstock.options.LoaderOptions;
import dev.penstock.transform.TokenizerModule;
import dev.penstock.transform.Transform;
import java.util.List;
import java.util.Map;

/// Finds the module that makes token ids of texts.
final class Tokenizers {
  private static final ServiceLookup<TokenizerModule> MODULES =
      new ServiceLookup<>(TokenizerModule.class, _ -> List.of("tokens"));

  private Tokenizers() {}

  /// Tokenises columns, each with the `tokenizer.json` of its path.
  static LoaderOptions tokenize(LoaderOptions options, Map<String, String> columns) {
    return columns.entrySet().stream()
        .map(each -> transform(each.getKey(), each.getValue()))
        .reduce(Transform::andThen)
        .map(options::transform)
        .orElse(options);
  }

  private static Transform transform(String column, String tokenizer) {
    Services<TokenizerModule> modules = MODULES.here();
    return modules
        .named("tokens")
        .orElseThrow(() ->
            Advice.argumentError(
                "Cannot tokenise column '%s': its module is not on the class path. %s%s",
                column, Remedy.module("tokens"), modules.leftOut()))
        .tokenize(column, tokenizer);
  }
}
