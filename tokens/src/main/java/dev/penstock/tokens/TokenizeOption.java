package dev.penstock.tokens;

import dev.penstock.internal.request.LoadRequest;
import dev.penstock.internal.request.TokenizerModule;
import dev.penstock.transform.Transform;
import java.io.UncheckedIOException;
import java.util.Objects;

/// The option `tokenize` of the command and of Python. Not for users.
@SuppressWarnings("exports") // it is not for users
public final class TokenizeOption implements TokenizerModule {
  /// For `ServiceLoader`.
  public TokenizeOption() {}

  @Override
  public Transform tokenize(LoadRequest.Tokenize asked) {
    try {
      Tokenize made = Tokenize.of(asked.column(), asked.tokenizer());
      if (asked.into() != null) {
        made = made.into(asked.into());
      }
      if (asked.pair() != null) {
        made = made.pair(asked.pair());
      }
      if (asked.specialTokens() != null) {
        made = made.specialTokens(asked.specialTokens());
      }
      if (asked.tooLong() != null) {
        made = made.tooLong(asked.tooLong());
      }
      if (asked.end() != null) {
        made = made.end(asked.end());
      }
      return asked.truncate() == null ? made : made.truncate(asked.truncate());
    } catch (UncheckedIOException e) {
      throw new IllegalArgumentException(Objects.requireNonNull(e.getCause()).getMessage(), e);
    }
  }
}
