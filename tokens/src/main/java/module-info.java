import dev.penstock.tokens.TokenizeOption;
import dev.penstock.transform.TokenizerModule;
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
