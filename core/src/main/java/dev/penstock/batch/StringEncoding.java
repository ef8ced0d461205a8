package dev.penstock.batch;

import java.util.Optional;
import java.util.OptionalInt;

/// How a column of strings is delivered. Immutable.
///
/// Codes and buckets are `INT32` tensors of shape `[rows]`, or `int[]` under [OutputFormat#ARRAY];
/// under [OutputFormat#MAP] they remain strings. Nulls follow the column's [NullPolicy]:
/// `fill(number)` replaces them by that code, `fill(text)` by the code of the text.
public sealed interface StringEncoding {
  /// A list of strings. The default.
  record Listed() implements StringEncoding {
    @Override
    public String toString() {
      return "list";
    }
  }

  /// The place of each string in a vocabulary, counted from 0.
  ///
  /// @param vocabulary the strings; without it, the loader collects them in one pass over the
  ///   column before the first epoch, and sorts them by code points
  /// @param unknown the code of strings that are not in the vocabulary; without it, they are an
  ///   error that names column, file and row
  record Codes(Optional<Vocabulary> vocabulary, OptionalInt unknown) implements StringEncoding {
    /// {@return the encoding with a code for strings that are not in the vocabulary}
    ///
    /// @param code any number: one after the vocabulary's codes, one of them, or -1
    public Codes unknown(int code) {
      return new Codes(vocabulary, OptionalInt.of(code));
    }

    @Override
    public String toString() {
      return "codes";
    }
  }

  /// A number in `[0, buckets)` for each string: the xxHash64 (seed 0) of its UTF-8 bytes, as an
  /// unsigned number, modulo `buckets`. The same everywhere and for ever.
  ///
  /// @param buckets at least 1
  record Hash(int buckets) implements StringEncoding {
    /// Throws [IllegalArgumentException] if `buckets` is below 1.
    public Hash {
      if (buckets < 1) {
        throw new IllegalArgumentException("Hash buckets must be at least 1, got " + buckets + ".");
      }
    }

    @Override
    public String toString() {
      return "hash(" + buckets + ")";
    }
  }

  /// {@return [Listed]}
  static Listed list() {
    return new Listed();
  }

  /// {@return [Codes] of a vocabulary that the loader collects} Other rows have other codes, so
  /// keep `DataLoader.vocabulary(column)` with a model, and score with [#codes(Vocabulary)].
  static Codes codes() {
    return new Codes(Optional.empty(), OptionalInt.empty());
  }

  /// {@return [Codes] of a given vocabulary; other strings are an error}
  ///
  /// @param vocabulary the strings
  static Codes codes(Vocabulary vocabulary) {
    return new Codes(Optional.of(vocabulary), OptionalInt.empty());
  }

  /// {@return [Hash]}
  ///
  /// @param buckets how many, at least 1
  static Hash hash(int buckets) {
    return new Hash(buckets);
  }
}
