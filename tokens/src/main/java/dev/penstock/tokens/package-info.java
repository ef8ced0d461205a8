/// Texts become token ids in the workers, by a `tokenizer.json` of Hugging Face's tokenizers.
///
/// Start at [dev.penstock.tokens.Tokenize].
package dev.penstock.tokens;
