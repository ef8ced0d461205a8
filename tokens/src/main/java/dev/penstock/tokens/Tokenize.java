package dev.penstock.tokens;

import dev.penstock.advice.CheckReturnValue;
import dev.penstock.compose.Packs.TooLong;
import dev.penstock.schema.Field;
import dev.penstock.transform.ColumnBlock;
import dev.penstock.transform.Transform;
import dev.penstock.transform.TransformContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Replaces a column of strings by lists of token ids, `list<int32>`, as a `tokenizer.json` of
/// Hugging Face's tokenizers says.
///
/// It keeps the rows. A null stays null. Bytes that are not UTF-8 become U+FFFD. A text comes with
/// all its tokens, has at most 16 MiB unless [#tooLong] allows more, and is never padded, whatever
/// the file says on truncation and padding: see [#truncate]. Several columns: [Transform#andThen].
///
/// A column of lists of strings becomes one list of ids a row: those of its texts one after
/// another, each with its special tokens and that of [#end]. Nulls in a list leave nothing behind.
///
/// Immutable: every option returns a copy.
///
/// **Threads.** Safe for any; each text is tokenised by the worker that calls.
///
/// **Errors.** A block without the column, or with an unsuitable type, throws
/// [IllegalArgumentException]; a loader throws it before the first epoch.
@CheckReturnValue
public final class Tokenize implements Transform {
  /// Few rows, because texts are long.
  private static final int ROWS = 1024;

  /// No tokenizer is as large; others may name the file.
  private static final int BYTES_MAX = 256 << 20;

  /// The most bytes of a piece of a text that is too long.
  private static final int PIECE = 1 << 20;

  /// What is done with the texts.
  private record How(
      String column,
      @Nullable String pair,
      String output,
      boolean specialTokens,
      @Nullable String end,
      int most,
      TooLong tooLong) {
    private How {
      if (pair != null && tooLong == TooLong.CUT) {
        throw new IllegalArgumentException(
            "Cannot cut the long texts of pairs: a pair is tokenised at once. Drop them, or let them"
                + " be an error.");
      }
    }
  }

  private final Path file;
  private final String json;
  private final How how;
  private final RustTokenizer tokenizer;
  private final long[] end; // the id of the last token of each text, or nothing

  private Tokenize(Path file, String json, How how, RustTokenizer tokenizer) {
    this.file = file;
    this.json = json;
    this.how = how;
    this.tokenizer = tokenizer;
    this.end = how.end == null ? new long[0] : idOf(how.end);
  }

  /// {@return the transform of a column}
  ///
  /// @param column the column, of strings or of lists of strings
  /// @param tokenizer the path of a `tokenizer.json`; it is read now
  /// @throws IllegalArgumentException if the file is no tokenizer
  /// @throws IllegalStateException if the native library cannot be loaded
  /// @throws UncheckedIOException if the file cannot be read
  public static Tokenize of(String column, String tokenizer) {
    return of(column, Path.of(tokenizer));
  }

  /// {@return the transform of a column}
  ///
  /// @param column the column, of strings or of lists of strings
  /// @param tokenizer a `tokenizer.json`; it is read now
  /// @throws IllegalArgumentException if the file is no tokenizer
  /// @throws IllegalStateException if the native library cannot be loaded
  /// @throws UncheckedIOException if the file cannot be read
  public static Tokenize of(String column, Path tokenizer) {
    Objects.requireNonNull(column, "column must not be null.");
    String json = read(tokenizer);
    How how = new How(column, null, column, true, null, 0, TooLong.ERROR);
    return new Tokenize(tokenizer, json, how, load(tokenizer, json, 0));
  }

  private static String read(Path file) {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(BYTES_MAX + 1);
    } catch (IOException e) {
      String reason = e instanceof NoSuchFileException ? "there is no such file." : e.toString();
      throw new UncheckedIOException(
          new IOException("Cannot read tokenizer '" + file + "': " + reason, e));
    }
    if (bytes.length > BYTES_MAX) {
      throw new IllegalArgumentException(
          "Cannot read tokenizer '"
              + file
              + "': it has more than "
              + (BYTES_MAX >> 20)
              + " MiB, but a tokenizer.json has less.");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static RustTokenizer load(Path file, String json, int most) {
    try {
      return new RustTokenizer(json, most);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "Cannot read tokenizer '"
              + file
              + "': expected a tokenizer.json of Hugging Face's tokenizers, but: "
              + e.getMessage()
              + ".",
          e);
    }
  }

  private Tokenize with(How changed) {
    return new Tokenize(file, json, changed, tokenizer);
  }

  /// {@return a copy that names the column of ids}
  ///
  /// @param output the name; by default that of the column of texts, whose place it takes. Another
  ///   name is added at the end
  public Tokenize into(String output) {
    Objects.requireNonNull(output, "output must not be null.");
    return with(
        new How(how.column, how.pair, output, how.specialTokens, how.end, how.most, how.tooLong));
  }

  /// {@return a copy that tokenises pairs: the texts of the column, each with that of another, as
  /// the tokenizer's post-processor joins them} The other column is left out. A pair is null if one
  /// of its texts is.
  ///
  /// @param column the second texts' column, of strings
  public Tokenize pair(String column) {
    Objects.requireNonNull(column, "column must not be null.");
    return with(
        new How(how.column, column, how.output, how.specialTokens, how.end, how.most, how.tooLong));
  }

  /// {@return a copy that adds special tokens, or does not}
  ///
  /// @param added whether to add what the tokenizer's post-processor adds to a text, such as
  ///   `[CLS]` and `[SEP]`; the default is yes
  public Tokenize specialTokens(boolean added) {
    return with(new How(how.column, how.pair, how.output, added, how.end, how.most, how.tooLong));
  }

  /// {@return a copy that ends each text, an empty one too, with a token} Whatever the
  /// post-processor adds comes before it.
  ///
  /// @param token a token of the tokenizer, such as `<|endoftext|>`
  /// @throws IllegalArgumentException if the tokenizer does not read it as one token
  public Tokenize end(String token) {
    Objects.requireNonNull(token, "token must not be null.");
    How changed =
        new How(how.column, how.pair, how.output, how.specialTokens, token, how.most, how.tooLong);
    return how.most == 0 ? with(changed) : with(changed).truncate(how.most);
  }

  /// {@return a copy that cuts long texts at their end} Of a pair, the longer text is cut first.
  ///
  /// @param tokens the most ids of a text, at least 1, with special tokens and that of [#end]
  /// @throws IllegalArgumentException if special tokens and that of [#end] leave no room for text
  public Tokenize truncate(int tokens) {
    int added = end.length + tokenizer.encode("", how.pair == null ? null : "", true).length;
    if (tokens <= added) {
      throw new IllegalArgumentException(
          "Cannot truncate to "
              + tokens
              + " tokens: the tokenizer adds "
              + added
              + " to each text. Expected more than that.");
    }
    How changed =
        new How(how.column, how.pair, how.output, how.specialTokens, how.end, tokens, how.tooLong);
    return new Tokenize(file, json, changed, load(file, json, tokens - end.length));
  }

  /// {@return a copy that does something else than fail with texts of more than 16 MiB} For a text
  /// as a whole the library takes memory, about 160 bytes for each of its own.
  ///
  /// @param choice `ERROR`, the default, ends the epoch with an error; `CUT` tokenises it in pieces
  ///   of at most 1 MiB, which end behind the last line end, else before the last white space of
  ///   ASCII, else between characters, with special tokens only at the start and the end of the
  ///   whole; `DROP` makes an empty list
  /// @throws IllegalArgumentException if texts of pairs are to be cut
  public Tokenize tooLong(TooLong choice) {
    Objects.requireNonNull(choice, "choice must not be null.");
    return with(
        new How(how.column, how.pair, how.output, how.specialTokens, how.end, how.most, choice));
  }

  private long[] idOf(String token) {
    long[] ids = tokenizer.encode(token, null, false);
    if (ids.length != 1) {
      throw new IllegalArgumentException(
          "Cannot end texts with '"
              + token
              + "': tokenizer '"
              + file
              + "' reads it as "
              + ids.length
              + " tokens but expected one of its tokens.");
    }
    return ids;
  }

  /// {@return the name of the column of ids}
  public String output() {
    return how.output;
  }

  @Override
  public ColumnBlock apply(ColumnBlock block, TransformContext context) {
    Texts texts = Texts.of(block, how.column);
    Texts pairs = how.pair == null ? null : Texts.of(block, how.pair);
    if (pairs != null && (texts.lists() != null || pairs.lists() != null)) {
      throw new IllegalArgumentException(
          "Cannot tokenise columns '"
              + how.column
              + "' and '"
              + how.pair
              + "' as pairs: expected strings, but one of them has lists of strings.");
    }
    boolean isNew = !how.output.equals(how.column) && !how.output.equals(how.pair);
    if (isNew && block.schema().find(how.output).isPresent()) {
      throw new IllegalArgumentException(
          "Cannot name the ids of column '"
              + how.column
              + "' '"
              + how.output
              + "': there is such a column. Name them otherwise by into().");
    }
    boolean isNullable = texts.isNullable() || (pairs != null && pairs.isNullable());
    Field field = new Field(how.output, IdLists.TYPE, isNullable);
    ColumnBlock made = block.with(field, ids(texts, pairs, block.rowCount()).slice());
    if (!how.output.equals(how.column)) {
      made = made.without(how.column);
    }
    return how.pair == null || how.output.equals(how.pair) ? made : made.without(how.pair);
  }

  private IdLists ids(Texts texts, @Nullable Texts pairs, int rows) {
    IdLists lists = new IdLists(rows);
    for (int row = 0; row < rows; row++) {
      if (texts.isNullRow(row) || (pairs != null && pairs.isNullRow(row))) {
        lists.addNull();
      } else {
        int last = texts.first(row + 1);
        for (int text = texts.first(row); text < last; text++) {
          if (!texts.isNull(text)) {
            addIds(lists, texts, pairs, text);
          }
        }
        lists.end();
      }
    }
    return lists;
  }

  private void addIds(IdLists lists, Texts texts, @Nullable Texts pairs, int text) {
    long pairBytes = pairs == null ? 0 : pairs.bytes(text).byteSize();
    long bytes = Math.max(texts.bytes(text).byteSize(), pairBytes);
    if (bytes <= Texts.LONGEST) {
      String pair = pairs == null ? null : pairs.get(text);
      lists.add(tokenizer.encode(texts.get(text), pair, how.specialTokens));
      lists.add(end);
      return;
    }
    switch (how.tooLong) {
      case ERROR ->
          throw new IllegalArgumentException(
              "Cannot tokenise a text of "
                  + bytes
                  + " bytes: the tokenizer takes over 160 bytes of memory for each, so a text may"
                  + " have "
                  + Texts.LONGEST
                  + ". Have such texts cut or dropped, or leave their rows out.");
      case CUT -> {
        int room = how.most == 0 ? Integer.MAX_VALUE : how.most - end.length;
        new LongText(texts.bytes(text), PIECE).addIds(tokenizer, how.specialTokens, room, lists);
        lists.add(end);
      }
      case DROP -> {}
    }
  }

  /// {@return 1,024: texts are long}
  @Override
  public int rows() {
    return ROWS;
  }

  /// {@return the contents of the `tokenizer.json`, the options and the library, so that a cache
  /// keeps the ids}
  @Override
  public Optional<String> version() {
    return NativeLibrary.version().map(library -> library + ' ' + sha256(json) + ' ' + how);
  }

  private static String sha256(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Each Java has SHA-256.", e);
    }
  }

  @Override
  public boolean keepsRows() {
    return true;
  }

  @Override
  public String toString() {
    return "tokenize "
        + how.column
        + (how.pair == null ? "" : " and " + how.pair)
        + (how.output.equals(how.column) ? "" : " into " + how.output)
        + ": "
        + file
        + (how.specialTokens ? "" : ", no special tokens")
        + (how.end == null ? "" : ", end " + how.end)
        + (how.most == 0 ? "" : ", at most " + how.most + " tokens")
        + (how.tooLong == TooLong.ERROR ? "" : ", too long: " + how.tooLong);
  }
}
