package dev.penstock.internal.text;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.choice.Choices;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The options of a format as the user wrote them, each checked when it is read.
public record FormatOptions(Map<String, String> chosen) {
  /// The option for the longest record that may be read.
  static final String RECORD_BYTES = "max-record-bytes";

  /// Its default: more than records of tables have, and little enough that each of many readers may
  /// take a few times as much.
  static final int RECORD_BYTES_USUAL = 16 << 20;

  /// Its most: places in a record are numbers of 30 bits.
  private static final int RECORD_BYTES_MAX = 1 << 29;

  private static final int SAMPLE_ROWS = 10_000;
  private static final int GROUP_BYTES = 8 << 20;

  /// Takes the chosen options, each of which must be one of the keys.
  public FormatOptions(String format, List<String> keys, Map<String, String> chosen) {
    this(chosen);
    for (String key : chosen.keySet()) {
      if (!keys.contains(key)) {
        throw Advice.argumentError(
            "Cannot use %s: %s has no such option. %s",
            Remedy.formatOption(key), format, Choices.listed("Options", key, keys));
      }
    }
  }

  public static IllegalArgumentException wrong(String key, String value, String expected) {
    return Advice.argumentError(
        "Cannot use %s: it is '%s' but expected %s.", Remedy.formatOption(key), value, expected);
  }

  public boolean has(String key) {
    return chosen.containsKey(key);
  }

  public boolean flag(String key, boolean otherwise) {
    return has(key) ? choice(key, "true", "false").equals("true") : otherwise;
  }

  /// Returns one of two words, the first one if none was chosen.
  public String choice(String key, String first, String second) {
    String value = chosen.getOrDefault(key, first);
    if (!value.equals(first) && !value.equals(second)) {
      throw wrong(key, value, first + " or " + second);
    }
    return value;
  }

  /// Returns a byte of ASCII, or -1 for `none` if that is allowed.
  public int character(String key, int otherwise, boolean optional) {
    String value = chosen.get(key);
    if (value == null) {
      return otherwise;
    }
    if (value.equals("none") && optional) {
      return -1;
    }
    String text = value.equals("\\t") || value.equals("tab") ? "\t" : value;
    boolean fits = text.length() == 1 && text.charAt(0) < 128 && "\n\r".indexOf(text) < 0;
    if (!fits) {
      throw wrong(key, value, "one ASCII character that is no line break");
    }
    return text.charAt(0);
  }

  public Optional<String> text(String key) {
    return Optional.ofNullable(chosen.get(key));
  }

  /// Returns the parts between commas.
  public Optional<List<String>> list(String key) {
    return text(key).map(value -> List.copyOf(Arrays.asList(value.split(",", -1))));
  }

  /// Returns how text is stored and read: options `encoding`, `zstd-window-log` and
  /// `max-record-bytes`.
  public TextForm.Stated form() {
    return new TextForm.Stated(
        Optional.ofNullable(chosen.get("encoding")).map(name -> charset("encoding", name)),
        (int)
            number(
                "zstd-window-log",
                ZstdFrames.WINDOW_LOG_USUAL,
                ZstdFrames.WINDOW_LOG_MIN,
                ZstdFrames.WINDOW_LOG_MAX),
        (int) number(RECORD_BYTES, RECORD_BYTES_USUAL, 1, RECORD_BYTES_MAX));
  }

  private static Charset charset(String key, String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.equals("latin-1") || lower.equals("latin1")) {
      return StandardCharsets.ISO_8859_1;
    }
    try {
      return Charset.forName(name);
    } catch (IllegalCharsetNameException | UnsupportedCharsetException _) {
      throw wrong(key, name, "an encoding such as utf-8, utf-16 or latin-1" + absentEncodings());
    }
  }

  /// Returns that this Java lacks encodings, if it does: a small runtime may.
  private static String absentEncodings() {
    return ModuleLayer.boot().findModule("jdk.charsets").isPresent()
        ? ""
        : ", or a Java that has the module jdk.charsets for others";
  }

  /// Returns how many records of each file the types are detected from: option `sample-rows`.
  public int sampleRows() {
    return (int) number("sample-rows", SAMPLE_ROWS, 1, Integer.MAX_VALUE);
  }

  /// Returns where row groups are cut: options `row-group-bytes` and `row-group-rows`.
  public TextGroups.Cuts cuts() {
    return new TextGroups.Cuts(
        number("row-group-bytes", GROUP_BYTES, 1, Long.MAX_VALUE),
        number("row-group-rows", Long.MAX_VALUE, 1, Long.MAX_VALUE),
        has("row-group-bytes") || has("row-group-rows"));
  }

  public long number(String key, long otherwise, long least, long most) {
    String value = chosen.get(key);
    if (value == null) {
      return otherwise;
    }
    try {
      long number = Long.parseLong(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException _) {
      // The value is shown below.
    }
    throw wrong(
        key,
        value,
        "a whole number from " + least + (most < Integer.MAX_VALUE ? " to " + most : ""));
  }
}
