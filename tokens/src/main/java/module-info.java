import dev.penstock.internal.request.TokenizerModule;
import dev.penstock.tokens.TokenizeOption;
import org.jspecify.annotations.NullMarked;

/// Texts become token ids while they are read.
///
/// Start at [dev.penstock.tokens.Tokenize].
@NullMarked
module dev.penstock.tokens {
  exports dev.penstock.tokens;

  requires transitive dev.penstock;
  requires static transitive org.jspecify;
  requires ai.djl.tokenizers;

  provides TokenizerModule with
      TokenizeOption;
}
