package dev.penstock.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LongTextTest {
  private static List<String> pieces(byte[] bytes, int most) {
    LongText text = new LongText(MemorySegment.ofArray(bytes), most);
    List<String> pieces = new ArrayList<>();
    for (long start = 0; start < bytes.length; ) {
      long end = text.pieceEnd(start);
      assertThat(end).isGreaterThan(start).isLessThanOrEqualTo(start + most);
      pieces.add(new String(bytes, (int) start, (int) (end - start), StandardCharsets.UTF_8));
      start = end;
    }
    return pieces;
  }

  private static List<String> pieces(String text, int most) {
    return pieces(text.getBytes(StandardCharsets.UTF_8), most);
  }

  @Test
  void piecesEndBehindALineElseBeforeASpaceElseBetweenCharacters() {
    assertThat(pieces("a b\n\nc d\ne", 8)).containsExactly("a b\n\n", "c d\ne");
    assertThat(pieces("abc def ghi", 8)).containsExactly("abc def", " ghi");
    assertThat(pieces("abc\tdefg hijkl", 9)).containsExactly("abc\tdefg", " hijkl");
    assertThat(pieces(" abcdefg", 4)).containsExactly(" abc", "defg");
    assertThat(pieces("\u20ac\u20ac\u20ac", 8)).containsExactly("\u20ac\u20ac", "\u20ac");
    assertThat(pieces("\ud83c\udf0a\ud83c\udf0a", 7))
        .containsExactly("\ud83c\udf0a", "\ud83c\udf0a");
    assertThat(pieces("abcd", 4)).containsExactly("abcd");
  }

  @Test
  void bytesThatAreNoCharactersAreCutAnywhere() {
    byte[] bytes = new byte[10];
    java.util.Arrays.fill(bytes, (byte) 0x80);
    assertThat(String.join("", pieces(bytes, 4))).isEqualTo("\ufffd".repeat(10));
  }

  /// Texts of lines, so that no token goes over the end of a piece.
  @ParameterizedTest
  @ValueSource(strings = {"byte-bpe", "byte-bpe-split", "wordpiece"})
  void piecesHaveTheIdsOfTheWhole(String name) throws Exception {
    Path file = Recorded.tokenizer(name);
    RustTokenizer tokenizer = new RustTokenizer(Files.readString(file), 0);
    String text = "Sluice gates\nand weirs, 1905.\nEtc.\n".repeat(50);
    for (boolean special : new boolean[] {true, false}) {
      long[] whole = tokenizer.encode(text, null, special);
      assertThat(ids(tokenizer, text, special, Integer.MAX_VALUE)).isEqualTo(whole);
    }
  }

  private static long[] ids(RustTokenizer tokenizer, String text, boolean special, int room) {
    IdLists lists = new IdLists(1);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    new LongText(MemorySegment.ofArray(bytes), 100).addIds(tokenizer, special, room, lists);
    lists.end();
    MemorySegment values = lists.slice().children().getFirst().values();
    long[] ids = new long[(int) (values.byteSize() / 4)];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = values.getAtIndex(ValueLayout.JAVA_INT, i);
    }
    return ids;
  }

  @Test
  void truncatedPiecesHaveTheIdsOfTheTruncatedWhole() throws Exception {
    String json = Files.readString(Recorded.tokenizer("wordpiece"));
    String text = "Sluice gates\nand weirs, 1905.\nEtc.\n".repeat(20);
    int all = new RustTokenizer(json, 0).encode(text, null, true).length;
    for (int most = 3; most < all + 3; most++) {
      RustTokenizer tokenizer = new RustTokenizer(json, most);
      assertThat(ids(tokenizer, text, true, most))
          .as("at most %s", most)
          .isEqualTo(tokenizer.encode(text, null, true));
    }
  }
}
