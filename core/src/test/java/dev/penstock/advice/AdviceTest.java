package dev.penstock.advice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.format.MalformedFileException;
import dev.penstock.storage.Location;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AdviceTest {
  @SuppressWarnings("OrphanedFormatString") // a value may look like one
  private static final Advice ADVICE =
      Advice.of(
          "Column '%s' is null. Use %s%s.",
          "a%sb", Remedy.nulls("mask"), Remedy.output("MAP").within(", or ", ""));

  private static @Nullable String inPython(Remedy remedy) {
    return switch (remedy) {
      case Remedy.Text(String java) -> java;
      case Remedy.Option(String name, String value, String _, String _, String _) ->
          name.equals("output") ? null : name + "='" + value + "'";
      case Remedy.Module(String name, String _) -> "Install '" + name + "'.";
    };
  }

  private static String inPython(Throwable met) {
    return Advice.of(met).in(AdviceTest::inPython);
  }

  @Test
  void javaWritesItsOwnNames() {
    assertThat(ADVICE)
        .hasToString("Column 'a%sb' is null. Use NullPolicy.mask(), or OutputFormat.MAP.");
    assertThat(Advice.of("No %s. %s", "format", Remedy.module("orc")))
        .hasToString(
            "No format. Add the dependency 'dev.penstock:penstock-orc', in the version of"
                + " penstock-core. If your fat jar has it already, merge META-INF/services.");
  }

  @Test
  void anotherDoorWritesItsNamesAndLeavesOutWhatItHasNot() {
    assertThat(ADVICE.in(AdviceTest::inPython))
        .isEqualTo("Column 'a%sb' is null. Use nulls='mask'.");
    assertThat(Advice.of("%s", Remedy.output("MAP")).in(AdviceTest::inPython))
        .isEqualTo("OutputFormat.MAP"); // nothing can be left out with it
    assertThat(Advice.of("No. %s", Remedy.module("orc")).in(AdviceTest::inPython))
        .isEqualTo("No. Install 'orc'.");
  }

  @Test
  void repeatedMessageKeepsItsParts() {
    AdvisedArgumentException inner = new AdvisedArgumentException(ADVICE);
    String python = "Column 'a%sb' is null. Use nulls='mask'.";
    assertThat(inPython(inner)).isEqualTo(python);
    assertThat(
            inPython(new IllegalStateException("Worker 3: " + inner.getMessage() + " End.", inner)))
        .isEqualTo("Worker 3: " + python + " End.");
    IOException between = new IOException(inner);
    assertThat(inPython(new UncheckedIOException(inner.getMessage(), between))).isEqualTo(python);
    assertThat(inPython(new IllegalStateException("is null", new IOException())))
        .isEqualTo("is null");
  }

  @Test
  void messageOfAFileKeepsThePartsOfItsCauseAndIsPrintable() {
    AdvisedIOException cause =
        new AdvisedIOException(Advice.of("a\n is null: use %s", Remedy.nulls("mask")), null);
    MalformedFileException malformed =
        new MalformedFileException(
            new Location("x\ry"), -1, "row 1", "Bad: " + cause.getMessage() + ".", cause);
    assertThat(malformed)
        .hasMessage("Bad: a\\u000a is null: use NullPolicy.mask(). [x\\u000dy, row 1]");
    assertThat(inPython(malformed))
        .isEqualTo("Bad: a\\u000a is null: use nulls='mask'. [x\\u000dy, row 1]");
  }

  @Test
  void exceptionsThatOnlyAddAdviceAreNamedAsThoseOfTheJdk() {
    Advice text = Advice.text("no");
    assertThat(new AdvisedArgumentException(text))
        .hasToString("java.lang.IllegalArgumentException: no");
    assertThat(new AdvisedStateException(text)).hasToString("java.lang.IllegalStateException: no");
    assertThat(new AdvisedIOException(text, null)).hasToString("java.io.IOException: no");
    assertThat(Advised.type(new UncheckedIOException(new IOException())))
        .isEqualTo(UncheckedIOException.class);
  }

  @Test
  void canBeSerialized() throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new AdvisedStateException(ADVICE));
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(((AdvisedStateException) in.readObject()).advice()).hasToString(ADVICE.toString());
    }
  }
}
