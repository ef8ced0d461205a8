package dev.penstock.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.compose.Packs.TooLong;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.transform.ColumnBlock;
import dev.penstock.transform.TransformContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenizeTest {
  /// `[CLS]` is 2, `[SEP]` 3, `[UNK]` 1.
  private static final Path WORDPIECE = Recorded.tokenizer("wordpiece");

  private static final Path BYTES = Recorded.tokenizer("byte-bpe");

  private static final TransformContext NOWHERE =
      new TransformContext(Optional.empty(), 0, 0, 0, 0, 1);

  private static final DataType INT64 = new DataType.Int(64, true);

  private static final Schema NUMBERS = Schema.of(List.of(new Field("n", INT64, false)));

  @TempDir Path folder;

  @SuppressWarnings("NullAway") // an array with nulls in it
  private static ColumnBlock block(@Nullable String... texts) {
    long[] numbers = new long[texts.length];
    return new ColumnBlock(
            NUMBERS,
            texts.length,
            List.of(
                ColumnSlice.fixed(INT64, texts.length, 0, null, MemorySegment.ofArray(numbers))))
        .with("text", texts);
  }

  @SuppressWarnings("NullAway") // an array with nulls in it
  private static ColumnBlock withTexts(
      ColumnBlock block, String column, @Nullable String... texts) {
    return block.with(column, texts);
  }

  /// Returns the lists of a column; null for a null.
  private static List<@Nullable List<Integer>> lists(ColumnBlock block, String column) {
    ColumnSlice slice = block.slice(column);
    MemorySegment offsets = Objects.requireNonNull(slice.offsets());
    boolean[] present = block.present(column);
    List<@Nullable List<Integer>> lists = new ArrayList<>();
    for (int row = 0; row < block.rowCount(); row++) {
      List<Integer> list = new ArrayList<>();
      for (int i = offsets.getAtIndex(ValueLayout.JAVA_INT, row);
          i < offsets.getAtIndex(ValueLayout.JAVA_INT, row + 1L);
          i++) {
        list.add(slice.children().getFirst().values().getAtIndex(ValueLayout.JAVA_INT, i));
      }
      lists.add(present[row] ? list : null);
    }
    return lists;
  }

  private static List<@Nullable List<Integer>> ids(Tokenize tokenize, @Nullable String... texts) {
    return lists(tokenize.apply(block(texts), NOWHERE), tokenize.output());
  }

  private static List<Integer> first(Tokenize tokenize, String text) {
    return Objects.requireNonNull(ids(tokenize, text).getFirst());
  }

  @Test
  void idsTakeThePlaceOfTheTexts() {
    ColumnBlock made = Tokenize.of("text", WORDPIECE).apply(block("a", "b"), NOWHERE);
    assertThat(made.schema().toString()).isEqualTo("[n: int64 not null, text: list<int32>]");
  }

  @Test
  void idsOfAnotherNameAreAddedAndTheTextsLeftOut() {
    Tokenize tokenize = Tokenize.of("text", WORDPIECE).into("input_ids");
    assertThat(tokenize.apply(block("a"), NOWHERE).schema().names())
        .containsExactly("n", "input_ids");
    assertThat(tokenize.apply(block(), NOWHERE).schema().find("input_ids"))
        .contains(
            new Field("input_ids", new DataType.List(new DataType.Int(32, true), false), true));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tokenize.into("n").apply(block("a"), NOWHERE))
        .withMessage(
            "Cannot name the ids of column 'text' 'n': there is such a column. Name them otherwise"
                + " by into().");
  }

  @Test
  void nullStaysNullAndAnEmptyTextHasWhatTheTokenizerAdds() {
    Tokenize tokenize = Tokenize.of("text", WORDPIECE);
    assertThat(ids(tokenize, "", null, " "))
        .isEqualTo(Arrays.asList(List.of(2, 3), null, List.of(2, 3)));
    assertThat(ids(tokenize.specialTokens(false), "", null))
        .isEqualTo(Arrays.asList(List.of(), null));
    assertThat(ids(tokenize.end("[MASK]"), "", null))
        .isEqualTo(Arrays.asList(List.of(2, 3, 4), null));
  }

  @Test
  void everyTextEndsWithTheEndToken() {
    Tokenize tokenize = Tokenize.of("text", BYTES);
    List<Integer> a = first(tokenize, "a");
    assertThat(a).hasSize(1);
    assertThat(ids(tokenize.end("<|endoftext|>"), "a", ""))
        .containsExactly(List.of(a.getFirst(), 0), List.of(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tokenize.end("<eos>").toString())
        .withMessageMatching(
            "Cannot end texts with '<eos>': tokenizer '.*byte-bpe.json' reads it as \\d tokens but"
                + " expected one of its tokens\\.");
  }

  @Test
  void longTextsAreCutWithAllThatIsAdded() {
    Tokenize tokenize = Tokenize.of("text", WORDPIECE).end("[MASK]");
    List<Integer> whole = first(tokenize, "a b c d e f");
    List<Integer> cut = new ArrayList<>(whole.subList(0, 4));
    Collections.addAll(cut, 3, 4);
    assertThat(ids(tokenize.truncate(6), "a b c d e f", "a"))
        .containsExactly(cut, first(tokenize, "a"));
    assertThat(ids(Tokenize.of("text", WORDPIECE).truncate(6).end("[MASK]"), "a b c d e f"))
        .containsExactly(cut);
    for (int most = -1; most <= 3; most++) {
      int tokens = most;
      assertThatIllegalArgumentException()
          .isThrownBy(() -> tokenize.truncate(tokens).toString())
          .withMessage(
              "Cannot truncate to %s tokens: the tokenizer adds 3 to each text. Expected more than"
                  + " that.",
              most);
    }
    assertThat(first(tokenize.truncate(4), "a b")).hasSize(4);
  }

  @Test
  void pairIsNullIfOneOfItsTextsIs() {
    ColumnBlock pairs = withTexts(block("a", null, "b"), "other", "b", "b", null);
    ColumnBlock made = Tokenize.of("text", WORDPIECE).pair("other").apply(pairs, NOWHERE);
    assertThat(made.schema().names()).containsExactly("n", "text");
    List<Integer> a = first(Tokenize.of("text", WORDPIECE), "a");
    List<Integer> b = first(Tokenize.of("text", WORDPIECE), "b");
    List<Integer> both = new ArrayList<>(a);
    both.addAll(b.subList(1, b.size()));
    assertThat(lists(made, "text")).isEqualTo(Arrays.asList(both, null, null));
  }

  @Test
  void columnsOfAnotherTypeAndTokenizersOfAnotherFormAreRefused() throws IOException {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tokenize.of("n", WORDPIECE).apply(block("a"), NOWHERE))
        .withMessage(
            "Cannot tokenise column 'n': it is int64 but expected strings, or lists of strings.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tokenize.of("txt", WORDPIECE).apply(block("a"), NOWHERE))
        .withMessageStartingWith("Cannot transform column 'txt': no such column in the block.");
    Path file = Files.writeString(folder.resolve("config.json"), "{\"model\":{}}");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tokenize.of("text", file))
        .withMessageStartingWith(
            "Cannot read tokenizer '"
                + file
                + "': expected a tokenizer.json of Hugging Face's tokenizers, but: ");
    assertThatThrownBy(() -> Tokenize.of("text", folder.resolve("absent.json").toString()))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageEndingWith(
            "Cannot read tokenizer '"
                + folder.resolve("absent.json")
                + "': there is no such file.");
  }

  @ParameterizedTest
  @CsvSource({
    "61ff2062, a\ufffd b",
    "e282, \ufffd",
    "c080, \ufffd\ufffd",
    "eda0bdedb88061, \ufffd\ufffd\ufffd\ufffd\ufffd\ufffda", // surrogates
    "ed9fbf61eda0, \ud7ffa\ufffd\ufffd",
    "f4908080, \ufffd\ufffd\ufffd\ufffd"
  })
  void bytesThatAreNotUtf8AreTheReplacementCharactersOfPython(String hex, String decoded) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    ColumnSlice slice =
        ColumnSlice.variable(
            new DataType.Utf8(),
            1,
            0,
            null,
            MemorySegment.ofArray(bytes),
            MemorySegment.ofArray(new int[] {0, bytes.length}));
    Field field = new Field("text", new DataType.Utf8(), false);
    ColumnBlock block = new ColumnBlock(Schema.of(List.of(field)), 1, List.of(slice));
    Tokenize tokenize = Tokenize.of("text", BYTES);
    assertThat(lists(tokenize.apply(block, NOWHERE), "text")).isEqualTo(ids(tokenize, decoded));
  }

  @Test
  void fileWithBytesThatAreNotUtf8IsReadAsItsReaderSays() throws IOException {
    Path file = folder.resolve("texts.jsonl");
    Files.write(file, "{\"text\":\"a\u00ff b\"}\n".getBytes(StandardCharsets.ISO_8859_1));
    Tokenize tokenize = Tokenize.of("text", BYTES);
    assertThatThrownBy(() -> Ids.of(file, tokenize, "text", 1))
        .hasStackTraceContaining("UTF-8")
        .hasStackTraceContaining(file.toString());
  }

  @Test
  void transformsOfSeveralColumnsAreJoined() {
    Tokenize text = Tokenize.of("text", WORDPIECE);
    ColumnBlock two = block("a").with("other", new String[] {"b"});
    var joined = text.andThen(Tokenize.of("other", BYTES));
    assertThat(joined.rows()).isEqualTo(1024);
    assertThat(
            Tokenize.of("other", BYTES).apply(text.apply(two, NOWHERE), NOWHERE).schema().names())
        .containsExactly("n", "text", "other");
  }

  @Test
  void longerTextIsDroppedOrCutAsAsked() {
    String line = "sluice gate, lock and weir.\n";
    String longer = line.repeat((16 << 20) / line.length() + 1);
    Tokenize tokenize = Tokenize.of("text", WORDPIECE).end("[MASK]");
    List<Integer> one = first(tokenize, line);
    assertThat(ids(tokenize.tooLong(TooLong.DROP), longer, line)).containsExactly(List.of(), one);
    int most = 700_000; // of more than two pieces, and soon done
    List<Integer> cut = first(tokenize.tooLong(TooLong.CUT).truncate(most), longer);
    List<Integer> words = one.subList(1, one.size() - 2);
    assertThat(cut).hasSize(most).startsWith(2);
    assertThat(cut.subList(cut.size() - 2, cut.size())).containsExactly(3, 4);
    for (int i = 1; i < cut.size() - 2; i++) {
      assertThat(cut.get(i)).isEqualTo(words.get((i - 1) % words.size()));
    }
    assertThat(first(tokenize.tooLong(TooLong.CUT).truncate(9), longer))
        .isEqualTo(first(tokenize.truncate(9), line.repeat(9)))
        .hasSize(9);
  }

  @Test
  void longTextsOfPairsAreNotCut() {
    Tokenize pairs = Tokenize.of("text", WORDPIECE).pair("other");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pairs.tooLong(TooLong.CUT).toString())
        .withMessage(
            "Cannot cut the long texts of pairs: a pair is tokenised at once. Drop them, or let them"
                + " be an error.");
    ColumnBlock block = withTexts(block("a"), "other", "a".repeat((16 << 20) + 1));
    assertThat(lists(pairs.tooLong(TooLong.DROP).apply(block, NOWHERE), "text"))
        .containsExactly(List.of());
  }

  @Test
  void textsOfAListFollowOneAnother() throws IOException {
    Path file = folder.resolve("texts.jsonl");
    Files.writeString(
        file,
        """
        {"text": ["a", "b c"]}
        {"text": []}
        {"text": ["", null, "a"]}
        """);
    Tokenize tokenize = Tokenize.of("text", WORDPIECE).end("[MASK]");
    List<Integer> wanted = new ArrayList<>(first(tokenize, "a"));
    wanted.addAll(first(tokenize, "b c"));
    List<Integer> last = new ArrayList<>(first(tokenize, ""));
    last.addAll(first(tokenize, "a"));
    assertThat(Ids.of(file, tokenize, "text", 1))
        .containsExactly(array(wanted), new int[0], array(last));
    assertThatThrownBy(() -> Ids.of(file, tokenize.pair("text"), "text", 1))
        .hasStackTraceContaining(
            "Cannot tokenise columns 'text' and 'text' as pairs: expected strings, but one of them"
                + " has lists of strings.");
  }

  private static int[] array(List<Integer> ids) {
    return ids.stream().mapToInt(Integer::intValue).toArray();
  }

  @Test
  void itPrintsWhatItDoes() {
    Tokenize tokenize = Tokenize.of("text", WORDPIECE);
    assertThat(tokenize).hasToString("tokenize text: " + WORDPIECE);
    assertThat(tokenize.pair("b").into("ids").specialTokens(false).end("[SEP]").truncate(512))
        .hasToString(
            "tokenize text and b into ids: "
                + WORDPIECE
                + ", no special tokens, end [SEP], at most 512 tokens");
    assertThat(tokenize.tooLong(TooLong.CUT))
        .hasToString("tokenize text: " + WORDPIECE + ", too long: CUT");
  }

  @Test
  void workersDoNotChangeWhatComes() {
    Tokenize tokenize = Tokenize.of("text", BYTES).into("ids");
    List<int[]> one = Ids.of(Recorded.DOCUMENTS, tokenize, "ids", 0);
    List<int[]> four = Ids.of(Recorded.DOCUMENTS, tokenize, "ids", 4);
    assertThat(four).usingRecursiveComparison().isEqualTo(one);
  }

  @Test
  void longDocumentIsRefusedByItsReaderUntilMoreIsAllowed() throws IOException {
    Path file = folder.resolve("texts.jsonl");
    Files.writeString(file, "{\"text\":\"" + "sluice gate, ".repeat(1_400_000) + "\"}\n");
    Tokenize tokenize = Tokenize.of("text", WORDPIECE).truncate(8);
    assertThatThrownBy(() -> Ids.of(file, tokenize, "text", 1))
        .hasStackTraceContaining("max-record-bytes");
  }

  /// The tokenizer would take gigabytes for it.
  @Test
  void longerTextIsRefusedInASentence() {
    Tokenize tokenize = Tokenize.of("text", WORDPIECE);
    ColumnBlock block = block("a".repeat((16 << 20) + 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tokenize.apply(block, NOWHERE))
        .withMessage(
            "Cannot tokenise a text of 16777217 bytes: the tokenizer takes over 160 bytes of memory"
                + " for each, so a text may have 16777216. Have such texts cut or dropped, or leave"
                + " their rows out.");
  }
}
