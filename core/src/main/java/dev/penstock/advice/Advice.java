package dev.penstock.advice;

import com.google.errorprone.annotations.FormatMethod;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A message in parts: texts, and the options and modules that it names. Immutable.
public final class Advice implements Serializable {
  private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // List.of can be written
  private final List<Remedy> parts;

  private Advice(List<Remedy> parts) {
    this.parts = List.copyOf(parts);
  }

  /// {@return a message}
  ///
  /// @param form the sentence, with `%s` in place of each value
  /// @param values a [Remedy], an Advice, or anything that is written as text
  @FormatMethod
  @SuppressWarnings("exports") // only the compiler looks at it
  public static Advice of(String form, @Nullable Object... values) {
    String[] texts = form.split("%s", -1);
    List<Remedy> parts = new ArrayList<>();
    for (int i = 0; i < texts.length; i++) {
      add(parts, texts[i]);
      if (i < values.length) {
        add(parts, values[i]);
      }
    }
    return new Advice(parts);
  }

  /// {@return an [IllegalArgumentException] that advises}
  ///
  /// @param form the sentence, with `%s` in place of each value
  /// @param values the values, as in [#of(String, Object...)]
  @FormatMethod
  @SuppressWarnings("exports") // as above
  public static IllegalArgumentException argumentError(String form, @Nullable Object... values) {
    return new AdvisedArgumentException(of(form, values));
  }

  /// {@return an [IllegalStateException] that advises}
  ///
  /// @param form the sentence, with `%s` in place of each value
  /// @param values the values, as in [#of(String, Object...)]
  @FormatMethod
  @SuppressWarnings("exports") // as above
  public static IllegalStateException stateError(String form, @Nullable Object... values) {
    return new AdvisedStateException(of(form, values));
  }

  /// {@return an [IOException] that advises}
  ///
  /// @param form the sentence, with `%s` in place of each value
  /// @param values the values, as in [#of(String, Object...)]
  @FormatMethod
  @SuppressWarnings("exports") // as above
  public static IOException ioError(String form, @Nullable Object... values) {
    return new AdvisedIOException(of(form, values), null);
  }

  /// {@return the message of an exception} It has parts if the exception or one of its causes
  /// advises, and the message repeats what that says.
  ///
  /// @param met the exception
  public static Advice of(Throwable met) {
    return met instanceof Advised advised
        ? advised.advice()
        : repeating(Objects.requireNonNullElse(met.getMessage(), met.toString()), met.getCause());
  }

  /// {@return a message; where it repeats that of an exception that advises, with its parts}
  ///
  /// @param message the whole message
  /// @param cause an exception; the message may repeat its message, or that of one of its causes
  public static Advice repeating(String message, @Nullable Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof Advised advised) {
        String repeated = advised.advice().toString();
        int at = message.indexOf(repeated);
        if (at >= 0) {
          return of(
              "%s%s%s",
              message.substring(0, at),
              advised.advice(),
              message.substring(at + repeated.length()));
        }
      }
    }
    return text(message);
  }

  /// {@return a message without advice}
  ///
  /// @param message the message
  public static Advice text(String message) {
    return new Advice(List.of(new Remedy.Text(message)));
  }

  private static void add(List<Remedy> parts, @Nullable Object value) {
    switch (value) {
      case Advice advice -> parts.addAll(advice.parts);
      case Remedy remedy -> parts.add(remedy);
      case null, default -> {
        if (!"".equals(value)) {
          parts.add(new Remedy.Text(String.valueOf(value)));
        }
      }
    }
  }

  /// {@return the message with every text changed}
  ///
  /// @param change what to do to a text, for example [dev.penstock.storage.Printable#of]
  public Advice withTexts(UnaryOperator<String> change) {
    return new Advice(
        parts.stream()
            .map(part ->
                part instanceof Remedy.Text(String text)
                    ? new Remedy.Text(change.apply(text))
                    : part)
            .toList());
  }

  /// {@return the parts, in order}
  public List<Remedy> parts() {
    return parts;
  }

  /// {@return the message in words of its own, such as those of the command or of Python}
  ///
  /// @param words writes a part, or returns null for an option that is not there. That is left out
  ///   with the texts before and after it; one without such texts is written as Java does
  public String in(Function<Remedy, @Nullable String> words) {
    StringBuilder text = new StringBuilder();
    for (Remedy part : parts) {
      String word = part instanceof Remedy.Text ? part.java() : words.apply(part);
      if (!(part instanceof Remedy.Option option)) {
        text.append(word == null ? part.java() : word);
      } else if (word != null) {
        text.append(option.before()).append(word).append(option.after());
      } else if (option.before().isEmpty() && option.after().isEmpty()) {
        text.append(option.java());
      }
    }
    return text.toString();
  }

  /// {@return the message as Java writes it}
  @Override
  public String toString() {
    return in(Remedy::java);
  }
}
