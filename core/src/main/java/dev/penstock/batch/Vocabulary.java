package dev.penstock.batch;

import dev.penstock.internal.choice.Choices;
import dev.penstock.internal.choice.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/// The texts of a column of strings, each with a code: its index, counted from 0.
///
/// Pass it to [StringEncoding#codes(Vocabulary)], or get it from `DataLoader.vocabulary`. A
/// vocabulary file has one JSON string per line, in the order of the codes.
///
/// Immutable; share it freely among threads.
public final class Vocabulary {
  /// What fits into a byte array at up to three bytes per char.
  private static final long CHARS_MAX = 600_000_000;

  private static final int SHOWN = 10;

  private final List<String> texts;
  private final Map<String, Integer> codes;

  private Vocabulary(Collection<String> texts) {
    this.texts = Choices.given("A vocabulary", texts);
    this.codes = HashMap.newHashMap(texts.size());
    long chars = 0;
    for (String text : this.texts) {
      int code = codes.size();
      Integer before = codes.put(text, code);
      require(before == null, text, () -> "it is there twice, as " + before + " and " + code);
      require(isUnicode(text), text, () -> "it has half of a surrogate pair, which UTF-8 has not");
      chars += text.length();
      require(chars <= CHARS_MAX, text, () -> "the texts before have " + CHARS_MAX + " chars");
    }
  }

  private static void require(
      boolean condition, String text, java.util.function.Supplier<String> reason) {
    if (!condition) {
      throw new IllegalArgumentException(
          "Cannot put '" + text + "' into a vocabulary: " + reason.get() + ".");
    }
  }

  private static boolean isUnicode(String text) {
    return text.codePoints().noneMatch(each -> each >= 0xD800 && each < 0xE000);
  }

  /// {@return the vocabulary of some texts: the first has code 0}
  ///
  /// @param texts the texts, all different
  /// @throws IllegalArgumentException if there is a duplicate text, or UTF-8 cannot encode one
  public static Vocabulary of(String... texts) {
    return new Vocabulary(Arrays.asList(texts));
  }

  /// {@return the vocabulary of some texts: the first has code 0}
  ///
  /// @param texts the texts, all different
  /// @throws IllegalArgumentException if there is a duplicate text, or UTF-8 cannot encode one
  public static Vocabulary of(List<String> texts) {
    return new Vocabulary(texts);
  }

  /// {@return the vocabulary of some texts sorted by code points, as their UTF-8 bytes sort: it
  /// depends on the set of texts, not on their order}
  ///
  /// @param texts the texts; duplicates count once
  /// @throws IllegalArgumentException if UTF-8 cannot encode a text
  public static Vocabulary sorted(Collection<String> texts) {
    List<String> sorted = new ArrayList<>(new LinkedHashSet<>(texts));
    sorted.sort(Vocabulary::compareCodePoints);
    return new Vocabulary(sorted);
  }

  private static int compareCodePoints(String left, String right) {
    int common = Math.min(left.length(), right.length());
    for (int i = 0; i < common; i++) {
      if (left.charAt(i) != right.charAt(i)) {
        return rank(left.charAt(i)) - rank(right.charAt(i));
      }
    }
    return left.length() - right.length();
  }

  /// Surrogates stand for code points above all others.
  private static int rank(char unit) {
    return Character.isSurrogate(unit) ? unit + 0x10000 : unit;
  }

  /// {@return the vocabulary that [#save] wrote, or of any file with one JSON string per line}
  ///
  /// @param file the file, in UTF-8
  /// @throws IOException if the file cannot be read, or a line is not a JSON string
  /// @throws IllegalArgumentException if a text is there twice
  public static Vocabulary load(Path file) throws IOException {
    List<String> texts = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String text = JsonString.parse(line);
      if (text == null) {
        throw new IOException(
            Sentence.of(
                "Cannot read a vocabulary: line %s is not one JSON string, such as \"ATL\". [%s]",
                texts.size() + 1, file));
      }
      texts.add(text);
    }
    return new Vocabulary(texts);
  }

  /// Writes the vocabulary to a file, one JSON string per line.
  ///
  /// @param file the file; replaced if it exists
  /// @throws IOException if it cannot be written
  public void save(Path file) throws IOException {
    Files.write(file, texts.stream().map(JsonString::of).toList());
  }

  /// {@return the number of texts; codes are in `[0, size())`}
  public int size() {
    return texts.size();
  }

  /// {@return the texts in the order of their codes, unmodifiable}
  public List<String> texts() {
    return texts;
  }

  /// {@return the text of a code}
  ///
  /// @param code the code, in `[0, size())`
  public String text(int code) {
    return texts.get(code);
  }

  /// {@return the code of a text; empty if it is not in the vocabulary}
  ///
  /// @param text the text
  public OptionalInt code(String text) {
    Integer code = codes.get(text);
    return code == null ? OptionalInt.empty() : OptionalInt.of(code);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Vocabulary that && texts.equals(that.texts);
  }

  @Override
  public int hashCode() {
    return texts.hashCode();
  }

  @Override
  public String toString() {
    List<String> shown = new ArrayList<>(texts.stream().limit(SHOWN).map(JsonString::of).toList());
    if (size() > SHOWN) {
      shown.add("...");
    }
    return "Vocabulary of " + size() + " " + shown;
  }
}
