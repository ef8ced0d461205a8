package dev.penstock.tokens;

import dev.penstock.internal.request.LoadRequest;
import dev.penstock.internal.request.OptionTable;
import dev.penstock.internal.request.TokenizerModule;
import dev.penstock.transform.Transform;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// The option `tokenize` of the command and of Python. Not for users.
@SuppressWarnings("exports") // it is not for users
public final class TokenizeOption implements TokenizerModule {
  /// For `ServiceLoader`.
  public TokenizeOption() {}

  @Override
  public Transform tokenize(LoadRequest.Tokenize asked) {
    try {
      Tokenize made = Tokenize.of(asked.column(), asked.tokenizer());
      made = with(made, "into", asked.into(), Tokenize::into);
      made = with(made, "pair", asked.pair(), Tokenize::pair);
      made = with(made, "specialTokens", asked.specialTokens(), Tokenize::specialTokens);
      made = with(made, "tooLong", asked.tooLong(), Tokenize::tooLong);
      made = with(made, "end", asked.end(), Tokenize::end);
      return with(made, "truncate", asked.truncate(), Tokenize::truncate);
    } catch (UncheckedIOException e) {
      throw new IllegalArgumentException(Objects.requireNonNull(e.getCause()).getMessage(), e);
    }
  }

  /// Sets an option, unless it is not given; its errors are about it.
  private static <V> Tokenize with(
      Tokenize made, String option, @Nullable V value, BiFunction<Tokenize, V, Tokenize> set) {
    return value == null
        ? made
        : OptionTable.of("Tokenize", option).naming(() -> set.apply(made, value));
  }
}
