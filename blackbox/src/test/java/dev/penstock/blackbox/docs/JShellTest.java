package dev.penstock.blackbox.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.English;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.Snippet.Status;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The Java of a page runs in JShell, pasted from the top to the bottom, each snippet below its
/// imports.
@Tag("outer")
@ExtendWith({English.class, PageData.class})
class JShellTest {
  private static final String RUN =
      "dev.penstock.StructuredDataset flights, dev.penstock.options.LoaderOptions options, ";

  /// Snippets that only compile here, as methods with these parameters: one needs a GPU, one a
  /// library that takes Arrow's C data, one a store and a format of the reader's. Those of the
  /// guide on bad steps go on from the training at its top, which [BadStepTest] runs.
  private static final Map<String, String> COMPILED =
      Map.of(
          "own-providers",
          "dev.penstock.spi.storage.Storage store, dev.penstock.spi.format.FileFormat format",
          "device",
          "long stream",
          "arrow-c-data",
          "java.lang.foreign.MemorySegment array, java.lang.foreign.MemorySegment schema,"
              + " Runnable library",
          "skip-steps",
          RUN + "java.nio.file.Path checkpoint",
          "exclude-rows",
          RUN + "java.nio.file.Path checkpoint, java.util.List<dev.penstock.steps.StepRow> late",
          "rows-of-steps",
          RUN + "dev.penstock.LoaderState state");

  /// What is not on the class path here: Spark, Micrometer, DJL, XGBoost, Spring, or needs a file
  /// that is not there, a tokenizer. Their modules test the code. And whole files, which
  /// `consumers/run` compiles.
  private static final Set<String> ELSEWHERE =
      Set.of(
          "spark",
          "spark-table",
          "spark-rows",
          "metrics-bind",
          "metrics-prometheus",
          "tokenize",
          "pretrain",
          "port-features",
          "port-loader",
          "port-model",
          "port-loop",
          "port-evaluate",
          "xgboost-matrix",
          "xgboost-train",
          "xgboost-score",
          "night-train",
          "night-score",
          "night-rule",
          "flight-service",
          "series-format",
          "series-format-test",
          "mem-storage",
          "mem-storage-test");

  /// What the pages say that it throws.
  private static final Map<String, String> THROWS =
      Map.of("kept-tensor", "Cannot use this batch: it is closed");

  static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (Path page : Snippets.pages()) {
      if (Files.readString(page).contains("\n```java\n")) {
        pages.add(page);
      }
    }
    return pages;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void pageRunsFromTheTopToTheBottom(Path page) throws IOException {
    String classPath = System.getProperty("java.class.path");
    try (JShell shell =
        JShell.builder()
            .executionEngine("local")
            .compilerOptions("-classpath", classPath)
            .build()) {
      Set<String> imports = new HashSet<>();
      Matcher block = Snippets.BLOCK.matcher(Files.readString(page));
      while (block.find()) {
        String name = block.group("name");
        if (!block.group("language").equals("java") || ELSEWHERE.contains(name)) {
          continue;
        }
        String fold = Objects.requireNonNullElse(block.group("imports"), "");
        for (String line : fold.lines().toList()) {
          if (imports.add(line)) {
            paste(shell, name, line);
          }
        }
        String parameters = COMPILED.get(name);
        String code = block.group("code");
        paste(
            shell,
            name,
            parameters == null
                ? code
                : "void compiled(" + parameters + ") throws Exception {\n" + code + "}");
      }
      shell.snippets().forEach(snippet -> assertIsValid(shell, "the page", snippet));
    }
  }

  private static void paste(JShell shell, String name, String code) {
    for (String rest = code; !rest.isBlank(); ) {
      CompletionInfo piece = shell.sourceCodeAnalysis().analyzeCompletion(rest);
      assertThat(piece.completeness().isComplete()).as("%s is complete: %s", name, rest).isTrue();
      for (SnippetEvent event : shell.eval(piece.source())) {
        if (event.status() == Status.REJECTED) {
          assertIsValid(shell, name, event.snippet());
        }
        if (event.exception() != null) {
          assertThat(event.exception().getMessage())
              .as("exception of %s", name)
              .startsWith(THROWS.getOrDefault(name, "nothing"));
        }
      }
      rest = piece.remaining();
    }
  }

  /// What leans on code further down may wait for it.
  private static void assertIsValid(JShell shell, String name, Snippet snippet) {
    assertThat(shell.status(snippet))
        .as(
            "%s: %s: %s",
            name,
            snippet.source(),
            shell.diagnostics(snippet).map(fault -> fault.getMessage(null)).toList())
        .isIn(Status.VALID, Status.OVERWRITTEN, Status.DROPPED);
  }
}
