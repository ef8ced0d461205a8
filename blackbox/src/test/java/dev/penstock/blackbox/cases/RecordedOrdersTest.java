package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.Ring;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Orders, states and errors are those that were recorded: a run that one version stopped goes on
/// in another, and code that is put in other words does the same.
///
/// `recorded/orders.txt` has a line for each case. `-Dpenstock.recorded=all` reads all cases,
/// `-Dpenstock.recorded=17,40` these, and `-Dpenstock.recorded=write` writes the file anew: only
/// where an order or a sentence is changed on purpose.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "states have a hash of paths with slashes")
class RecordedOrdersTest {
  private static final int CASES = 2_400;

  /// A case takes milliseconds; one that hangs is a failure of its own.
  private static final int SECONDS_MAX = 30;

  private static final int FAILURES_SHOWN = 10;
  private static final String CHOICE = System.getProperty("penstock.recorded", "");
  private static final Path RESOURCES =
      Path.of(System.getProperty("penstock.root", ".."), "blackbox/src/test/resources/recorded");
  private static final Path ORDERS = RESOURCES.resolve("orders.txt");

  @TempDir Path folder;

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void ordersStatesAndErrorsAreThoseRecorded() throws IOException {
    Path tables = RESOURCES.resolve("tables");
    if (CHOICE.equals("write") && !Files.exists(tables)) {
      RecordedTable.writeAll(tables);
    }
    Path root = folder.toRealPath();
    Path files = root.resolve("files");
    RecordedTable.copyAll(tables, files);
    RecordedDataset datasets =
        new RecordedDataset(
            files, root.resolve("cache"), root.resolve("plans"), new AtomicInteger());
    List<String> folders = List.of(files.toString(), root.resolve("cache").toString());
    List<RecordedFacts> found = new ArrayList<>();
    int[] numbers = numbers();
    for (int number : numbers) {
      FutureTask<RecordedFacts> run =
          new FutureTask<>(() -> RecordedRun.of(RecordedCase.of(number), datasets, folders));
      Thread.ofPlatform().daemon().name("recorded case").start(run);
      found.add(ended(number, run));
    }
    if (CHOICE.equals("write")) {
      write(found);
    } else {
      compare(numbers, found);
    }
  }

  private static int[] numbers() {
    if (!CHOICE.isEmpty() && !CHOICE.equals("all") && !CHOICE.equals("write")) {
      return Arrays.stream(CHOICE.split(",", -1)).mapToInt(Integer::parseInt).toArray();
    }
    int step = !CHOICE.isEmpty() || Ring.NIGHT.isRunning() ? 1 : Ring.OUTER.isRunning() ? 6 : 61;
    return IntStream.iterate(0, number -> number < CASES, number -> number + step).toArray();
  }

  private static RecordedFacts ended(int number, Future<RecordedFacts> run) {
    try {
      return run.get(SECONDS_MAX, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      String threads =
          Thread.getAllStackTraces().entrySet().stream()
              .filter(each -> each.getKey().getName().matches("(penstock|recorded).*"))
              .map(each -> each.getKey().getName() + " " + Arrays.toString(each.getValue()))
              .collect(Collectors.joining("\n"));
      run.cancel(true);
      throw new AssertionError(
          described(number) + "  did not end within " + SECONDS_MAX + " s:\n" + threads, e);
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError(described(number), e);
    }
  }

  private static void write(List<RecordedFacts> found) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int number = 0; number < found.size(); number++) {
      text.append(number).append(' ').append(found.get(number).line()).append('\n');
    }
    Files.writeString(ORDERS, text.toString());
  }

  private static void compare(int[] numbers, List<RecordedFacts> found) throws IOException {
    List<String> recorded = Files.readAllLines(ORDERS);
    assertThat(recorded).hasSize(CASES);
    List<String> failures = new ArrayList<>();
    for (int i = 0; i < numbers.length; i++) {
      String expected = recorded.get(numbers[i]).substring((numbers[i] + " ").length());
      if (!expected.equals(found.get(i).line())) {
        failures.add(described(numbers[i]) + found.get(i).differences(expected));
      }
    }
    assertThat(failures.stream().limit(FAILURES_SHOWN))
        .as("%s of %s cases differ, these first", failures.size(), numbers.length)
        .isEmpty();
  }

  private static String described(int number) {
    return "Case "
        + number
        + ":\n"
        + RecordedCase.of(number).words()
        + "  again    ./mvnw -pl blackbox -am test -Dsurefire.failIfNoSpecifiedTests=false"
        + " -Dtest=RecordedOrdersTest -Dpenstock.recorded="
        + number
        + "\n";
  }
}
