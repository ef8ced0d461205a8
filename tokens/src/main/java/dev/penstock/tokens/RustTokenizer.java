package dev.penstock.tokens;

import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// A tokenizer of the Rust library. It never pads.
///
/// **Ownership.** Its memory is freed after it is unreachable. **Threads.** Safe for any.
final class RustTokenizer {
  /* A text at a time, on the thread that asks: the library's own batches use threads of theirs, and
  keep all encodings, of about 100 bytes a token, until the last one is done. */

  private final TokenizersLibrary functions = NativeLibrary.functions();
  private final MemorySegment handle;

  /// @param json the text of a `tokenizer.json`
  /// @param most the most tokens of a text; 0 for as many as it has. What the JSON says on that,
  ///   and on padding, does not count
  /// @throws IllegalArgumentException if it is no tokenizer
  RustTokenizer(String json, int most) {
    TokenizersLibrary library = functions;
    long address;
    try {
      address = library.createTokenizerFromString(json);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    handle =
        MemorySegment.ofAddress(address)
            .reinterpret(Arena.ofAuto(), each -> library.deleteTokenizer(each.address()));
    library.disablePadding(address);
    library.disableTruncation(address); // with the side that the JSON cuts
    if (most > 0) {
      library.setTruncation(address, most, "LONGEST_FIRST", 0);
    }
  }

  /// Ids of a text, with those of special tokens around it.
  static final class Ids {
    final long[] all;

    /// How many of them are of special tokens in front of the text.
    final int before;

    /// How many of them are of special tokens behind the text.
    final int after;

    /// @param special by id, whether it is of a special token: 1, or else 0
    private Ids(long[] all, long[] special) {
      this.all = all;
      int first = 0;
      while (first < all.length && special[first] == 1) {
        first++;
      }
      int last = all.length;
      while (last > first && special[last - 1] == 1) {
        last--;
      }
      before = first;
      after = all.length - last;
    }
  }

  /// Returns the ids of the tokens of a text, or of a pair.
  ///
  /// @param special whether to add what the tokenizer's post-processor adds
  long[] encode(String text, @Nullable String pair, boolean special) {
    return encode(text, pair, special, functions::getTokenIds);
  }

  /// Returns the ids of the tokens of a text, and which of them are of special tokens around it.
  ///
  /// @param special as for [#encode]
  Ids encodeMarked(String text, boolean special) {
    return encode(
        text,
        null,
        special,
        encoding ->
            new Ids(functions.getTokenIds(encoding), functions.getSpecialTokenMask(encoding)));
  }

  private <R> R encode(
      String text, @Nullable String pair, boolean special, LongFunction<R> result) {
    try {
      long encoding =
          pair == null
              ? functions.encode(handle.address(), text, special)
              : functions.encodeDual(handle.address(), text, pair, special);
      try {
        return result.apply(encoding);
      } finally {
        functions.deleteEncoding(encoding);
      }
    } finally {
      Reference.reachabilityFence(handle);
    }
  }
}
