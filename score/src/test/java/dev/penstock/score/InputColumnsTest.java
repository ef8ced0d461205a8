package dev.penstock.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.batch.DType;
import dev.penstock.model.ModelInput;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InputColumnsTest {
  private static final Schema FLIGHTS =
      Schema.of(
          List.of(
              new Field("id", DataType.int64(), false),
              new Field("carrier", DataType.string(), true),
              new Field("distance", DataType.float64(), true),
              new Field("hour", DataType.int8(), true),
              new Field("late", DataType.bool(), true),
              new Field("day", new DataType.Decimal(9, 2), true),
              new Field("pixels", new DataType.List(DataType.float32(), false), true),
              new Field(
                  "from",
                  new DataType.Struct(List.of(new Field("lat", DataType.float32(), true))),
                  true)));
  private static final Set<String> KEYS = Set.of("id");

  private static ModelInput input(String name, long... extents) {
    return new ModelInput(name, DType.FLOAT32, Arrays.stream(extents).boxed().toList(), List.of());
  }

  private static ModelInput trained(String... columns) {
    return new ModelInput("features", DType.FLOAT32, List.of(-1L, 2L), List.of(columns));
  }

  private static Map<String, List<String>> of(
      Map<String, List<String>> given, ModelInput... inputs) {
    return InputColumns.of(List.of(inputs), FLIGHTS, given, KEYS);
  }

  private static void assertRefused(
      String message, Map<String, List<String>> given, ModelInput... inputs) {
    assertThatThrownBy(() -> of(given, inputs))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void numbersThatAreLeftFeedTheOnlyInputInTheTablesOrder() {
    assertThat(of(Map.of(), input("x", -1, 4)))
        .isEqualTo(Map.of("x", List.of("distance", "hour", "late", "day")));
  }

  @Test
  void columnsOfTheSameNamesAreTaken() {
    assertThat(of(Map.of(), input("hour", -1), input("distance", -1, 1), input("late", -1, -1)))
        .containsExactly(
            Map.entry("hour", List.of("hour")),
            Map.entry("distance", List.of("distance")),
            Map.entry("late", List.of("late")));
    assertThat(of(Map.of(), input("id", -1))).as("a key").containsEntry("id", List.of("id"));
    assertThat(of(Map.of(), input("pixels", -1, 784))).containsEntry("pixels", List.of("pixels"));
    assertThat(of(Map.of(), input("from.lat", -1))).containsEntry("from.lat", List.of("from.lat"));
  }

  @Test
  void columnOfTheSameNameIsNotTakenForSeveralNumbersARow() {
    assertThat(of(Map.of(), input("hour", -1, 4)))
        .isEqualTo(Map.of("hour", List.of("distance", "hour", "late", "day")));
  }

  @Test
  void columnsOfNamedInputsAreNotLeft() {
    assertThat(of(Map.of(), input("x", -1, 3), input("hour", -1, 1)))
        .containsExactly(
            Map.entry("x", List.of("distance", "late", "day")), Map.entry("hour", List.of("hour")));
  }

  @Test
  void columnsOfTrainingAreTakenInTheirOrder() {
    assertThat(of(Map.of(), trained("late", "distance")))
        .isEqualTo(Map.of("features", List.of("late", "distance")));
    assertThat(of(Map.of(), trained("id", "distance")))
        .as("also a key")
        .isEqualTo(Map.of("features", List.of("id", "distance")));
  }

  @Test
  void missingColumnsOfTrainingAreNamed() {
    assertRefused(
        "Cannot feed input 'features' of the model: it was trained on the columns [delay,"
            + " distance], but there is no [delay]. Columns are "
            + FLIGHTS.summary()
            + ". To feed it others, in the order of training, use input(\"features\", columns).",
        Map.of(),
        trained("delay", "distance"));
  }

  @Test
  void givenColumnsComeFirst() {
    Map<String, List<String>> given = Map.of("features", List.of("hour", "id"));
    assertThat(of(given, trained("late", "distance"))).isEqualTo(given);
    assertThat(of(Map.of("hour", List.of("late")), input("hour", -1)))
        .isEqualTo(Map.of("hour", List.of("late")));
    assertThat(of(Map.of("x", List.of("hour", "late")), input("x", -1, -1))).hasSize(1);
    assertThat(of(Map.of("x", List.of("pixels")), input("x", -1, 3, 4))).hasSize(1);
    assertThat(of(Map.of("x", List.of("id")), input("x", -1), input("y", -1, 4)))
        .containsEntry("y", List.of("distance", "hour", "late", "day"));
  }

  @Test
  void givenColumnsThatDoNotFitAreRefused() {
    assertRefused(
        "Cannot feed input 'y': the model has no such input. Its inputs are [x: FLOAT32 [-1, 2]].",
        Map.of("y", List.of("hour")),
        input("x", -1, 2));
    assertRefused(
        "Cannot feed input 'x' of the model: there is no column 'houre'. Columns are "
            + FLIGHTS.summary()
            + ".",
        Map.of("x", List.of("houre", "late")),
        input("x", -1, 2));
    assertRefused(
        "Cannot feed input x: FLOAT32 [-1, 2] of the model (-1: any extent): 3 columns are given,"
            + " [hour, late, day], but it takes 2.",
        Map.of("x", List.of("hour", "late", "day")),
        input("x", -1, 2));
    assertRefused(
        "Cannot feed input x: FLOAT32 [-1, 2] of the model (-1: any extent): 0 columns are given,"
            + " [], but it takes 2.",
        Map.of("x", List.of()),
        input("x", -1, 2));
    assertRefused(
        "Cannot feed input x: FLOAT32 [-1, 3, 4] of the model (-1: any extent): 1 columns are given,"
            + " [hour], but it takes a column of lists.",
        Map.of("x", List.of("hour")),
        input("x", -1, 3, 4));
  }

  @Test
  void otherNumberOfColumnsIsRefused() {
    assertRefused(
        "Cannot tell which columns feed input x: FLOAT32 [-1, 3] of the model (-1: any extent):"
            + " there is no column of that name, and 4 columns of numbers are left, [distance, hour,"
            + " late, day], but it takes 3. Columns are "
            + FLIGHTS.summary()
            + ". Name the columns by input(\"x\", columns).",
        Map.of(),
        input("x", -1, 3));
    assertRefused(
        "Cannot tell which columns feed input x: FLOAT32 [-1, -1] of the model (-1: any extent):"
            + " there is no column of that name, and 4 columns of numbers are left, [distance, hour,"
            + " late, day], but it takes any number. Columns are "
            + FLIGHTS.summary()
            + ". Name the columns by input(\"x\", columns).",
        Map.of(),
        input("x", -1, -1));
  }

  @Test
  void severalInputsThatAreLeftAreRefused() {
    assertRefused(
        "Cannot tell which columns feed inputs [a: FLOAT32 [-1], b: FLOAT32 [-1, 2]] of the model"
            + " (-1: any extent): there are no columns of these names. Columns are "
            + FLIGHTS.summary()
            + ". Name the columns by input(\"a\", columns).",
        Map.of(),
        input("a", -1),
        input("b", -1, 2),
        input("hour", -1));
  }

  @Test
  void theCommandNamesItsOption() {
    assertThatThrownBy(() -> of(Map.of(), input("x", -1, 3)))
        .satisfies(e ->
            assertThat(
                    Advice.of(e)
                        .in(part ->
                            part instanceof Remedy.Option option
                                ? "--" + option.name() + " " + option.value()
                                : null))
                .endsWith("Name the columns by --input x=COLUMNS."));
  }

  @Test
  void whatWasChosenIsALineForEachInput() {
    Map<String, List<String>> chosen = of(Map.of(), input("x", -1, 3), input("hour", -1));
    assertThat(InputColumns.text(chosen))
        .isEqualTo("x <- distance, late, day (3 columns)\nhour <- hour");
    List<String> many = IntStream.range(0, 64).mapToObj(i -> "column" + i).toList();
    assertThat(InputColumns.text(Map.of("x", many)))
        .isEqualTo(
            "x <- column0, column1, column2, column3, column4, column5, column6, column7, column8,"
                + " ... (64 columns)");
  }

  @Test
  void modelThatDoesNotSayItsInputsTakesWhatIsGiven() {
    assertThat(of(Map.of())).isEmpty();
    Map<String, List<String>> given = Map.of("x", List.of("hour", "late"));
    assertThat(of(given)).isEqualTo(given);
    assertThatThrownBy(() -> of(Map.of("x", List.of("houre"))))
        .hasMessageStartingWith("Cannot feed input 'x' of the model: there is no column 'houre'.");
  }
}
