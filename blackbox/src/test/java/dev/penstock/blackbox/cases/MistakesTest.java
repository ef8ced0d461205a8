package dev.penstock.blackbox.cases;

import dev.penstock.StructuredDataset;
import dev.penstock.batch.EpochUnit;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.StringEncoding;
import dev.penstock.blackbox.contract.Failure;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.compose.Composition;
import dev.penstock.options.LoaderOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Columns where they do not fit or are not read: each sentence says what works, in Java's words.
/// The command's are in its own test of mistakes.
class MistakesTest extends OwnFolder {
  private static final String OWN =
      "Leave it out of the matrix, and it comes as a column of its own";
  private static final String LEFT_OUT =
      "Cannot use column 's': columns leaves it out. Name it there, too.";
  private static final String IN_FOLDER =
      "Cannot read column 'day': the files do not have it, but a folder is named 'day=7'. Read a"
          + " folder above it with hivePartitions().";

  static List<Arguments> optionsAndSentences() {
    return List.of(
        mistake(o -> o.features("x", "a", "d"), OWN + ", which counts the time since 1970."),
        mistake(o -> o.features("x", "s"), OWN + ", of numbers with StringEncoding.codes()."),
        mistake(
            o -> o.features("x", "s").strings("s", StringEncoding.codes()),
            OWN + ", of numbers with StringEncoding.codes()."),
        mistake(o -> o.features("x", "day"), IN_FOLDER),
        mistake(o -> o.compose(Composition.groups("day")), IN_FOLDER));
  }

  static Stream<UnaryOperator<LoaderOptions>> uses() {
    return Stream.of(
        o -> o.features("x", "s"),
        o -> o.strings("s", StringEncoding.codes()),
        o -> o.nulls("s", NullPolicy.mask()),
        o -> o.timestamps("s", EpochUnit.DAYS),
        o -> o.compose(Composition.groups("s")));
  }

  private static Arguments mistake(UnaryOperator<LoaderOptions> options, String sentence) {
    return Arguments.of(options, sentence);
  }

  private StructuredDataset dataset() throws IOException {
    Files.createDirectories(path.resolve("day=7"));
    file("day=7/1.csv", "a,s,d\n1,x,2001-02-03\n");
    return folder.dataset();
  }

  @ParameterizedTest
  @MethodSource("optionsAndSentences")
  void whatDoesNotFitSaysWhatDoes(UnaryOperator<LoaderOptions> options, String sentence)
      throws IOException {
    Failure.of(dataset(), options.apply(Folder.options())).hasMessageEndingWith(sentence);
  }

  @ParameterizedTest
  @MethodSource("uses")
  void aColumnThatColumnsLeavesOutIsTold(UnaryOperator<LoaderOptions> use) throws IOException {
    Failure.of(dataset().columns("a"), use.apply(Folder.options())).hasMessage(LEFT_OUT);
  }
}
