package dev.penstock.internal.columns;

import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Vocabulary;
import dev.penstock.internal.hash.XxHash64;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/// Maps texts to numbers. Immutable; all workers share one.
interface TextCoder {
  /// The number of a text that the coder does not know.
  int UNKNOWN = -1;

  /// Returns the number of a text in UTF-8: 0 or more, or [#UNKNOWN].
  int code(MemorySegment bytes, long start, int length);

  /// Returns the number of a text under an encoding; empty if the vocabulary does not have it.
  static OptionalInt code(String text, StringEncoding encoding) {
    return switch (encoding) {
      case StringEncoding.Codes codes -> {
        OptionalInt known = codes.vocabulary().orElseThrow().code(text);
        yield known.isPresent() ? known : codes.unknown();
      }
      case StringEncoding.Hash(int buckets) -> {
        MemorySegment bytes = MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
        yield OptionalInt.of(buckets(buckets).code(bytes, 0, (int) bytes.byteSize()));
      }
      case StringEncoding.Listed _ -> OptionalInt.empty();
    };
  }

  static TextCoder places(Vocabulary vocabulary) {
    return new CodeTable(vocabulary.texts());
  }

  /// Returns a coder for hash buckets.
  static TextCoder buckets(int count) {
    // Floor(2^64 / count) or one less: the quotient computed with it is at most two too small.
    long inverse = Long.divideUnsigned(-1, count);
    return (bytes, start, length) -> {
      long hash = XxHash64.hash(bytes, start, length);
      long rest = hash - Math.unsignedMultiplyHigh(hash, inverse) * count;
      rest -= rest >= count ? count : 0;
      return (int) (rest >= count ? rest - count : rest);
    };
  }
}
