package dev.penstock.tokens;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Tokenizers and documents that `make.py` has made, beside it.
final class Recorded {
  static final Path FOLDER =
      Path.of(System.getProperty("penstock.root", ".."))
          .resolve("tokens/src/test/resources/dev/penstock/tokens");

  /// 2,000 rows with the columns `text` and `second`.
  static final Path DOCUMENTS = FOLDER.resolve("documents.jsonl.gz");

  static final List<String> NAMES =
      List.of("byte-bpe", "byte-bpe-split", "wordpiece", "unigram", "fallback-bpe");

  private Recorded() {}

  static Path tokenizer(String name) {
    return FOLDER.resolve(name + ".json");
  }

  /// Returns the digests of what Python makes of the documents.
  static List<String> digests(String name) {
    try {
      return Files.readAllLines(FOLDER.resolve(name + ".txt"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
