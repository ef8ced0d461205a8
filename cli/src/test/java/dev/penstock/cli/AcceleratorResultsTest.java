package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.cli.measure.StepTime;
import dev.penstock.options.LoaderOptions;
import dev.penstock.options.Reading;
import dev.penstock.stats.EpochRecord;
import dev.penstock.stats.Stage;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Epochs of 100 batches of 10 rows, with steps of 4 ms: an accelerator that is always busy takes
/// 0.4 s for them, so 2,500 rows/s.
class AcceleratorResultsTest {
  private static final StepTime STEP = StepTime.parse("--accelerator", "4ms");

  private final BenchResults measured = new BenchResults();
  private final AcceleratorResults results = new AcceleratorResults(STEP, measured, 2);

  private void add(int workers, Stage stage, double... speeds) {
    for (double speed : speeds) {
      EpochRecord epoch = MadeUpEpoch.of(0.5, Math.max(1, workers), stage);
      measured.add(LoaderOptions.defaults().workers(workers).reading(), speed, epoch);
    }
  }

  private BenchSetting setting(int index) {
    return measured.settings().get(index);
  }

  @Test
  void fewestWorkersThatReach90PercentSuffice() {
    add(1, Stage.DECODE, 1250, 1000, 1500);
    add(4, Stage.DECODE, 2475, 2475, 2475);
    add(2, Stage.DECODE, 2250, 2250, 2000);
    assertThat(results.text(Integer.MAX_VALUE))
        .isEqualTo(
            """
            workers  rows/s    noise   waited  busy
            -------  ------  -------  -------  ----  -----------
                  1     1 k   ± 20 %  0.500 s  50 %
                  4     2 k    ± 0 %  0.500 s  99 %
                  2     2 k  ± 5.6 %  0.500 s  90 %  <- suffices

            Use --workers 2: the fewest measured that keep an accelerator with steps of 4ms busy at least 90 % of the time.
            What holds it back? Nothing: the accelerator is busy.
            """);
    assertThat(results.recommended()).isEqualTo(setting(2));
    assertThat(results.workersEstimate()).isEmpty();
  }

  @Test
  void fixedNumberSufficesBeforeAnEqualChosenOne() {
    Reading auto = new Reading(4, true, 2, Duration.ZERO);
    measured.add(auto, 2400, MadeUpEpoch.of(0.1, 2, Stage.DECODE));
    add(2, Stage.DECODE, 2300);
    assertThat(results.recommended().isAuto()).isFalse();
    assertThat(results.text(Integer.MAX_VALUE)).contains("\nauto let 2 of 4 workers decode");
  }

  @Test
  void withoutEnoughWorkersTheirNumberIsEstimatedFromTheBest() {
    add(1, Stage.DECODE, 600);
    add(2, Stage.DECODE, 1000);
    add(4, Stage.DECODE, 1040); // not worth two more workers
    assertThat(results.text(Integer.MAX_VALUE))
        .endsWith(
            """

            No measured number of workers suffices: an accelerator with steps of 4ms is to be busy 90 % of the time, and the best, --workers 2, reaches 40 %.
            What holds it back? Decoding is the bottleneck (DECOMPRESS 0 % and DECODE 100 % of the workers' time), and the consumer waited 50 % of the time: more workers help while processors are idle, and so do fewer columns.
            An epoch took 1.000 s. Its start counts, with the wait for the first batch, and weighs most in short epochs.
            Estimate, not measured: 5 workers would suffice if each were as fast as each of those 2 and had a processor of its own; this machine has 2 processors.
            """)
        .doesNotContain("<- suffices");
    assertThat(results.recommended()).isEqualTo(setting(1));
    assertThat(results.workersEstimate()).hasValue(5);
  }

  @Test
  void withoutWorkersThatSufficesItIsSaidWhatOneWouldDo() {
    add(0, Stage.DECODE, 2400);
    assertThat(results.text(Integer.MAX_VALUE))
        .contains("Use --workers 0: ")
        .endsWith("1 lets steps and decoding overlap.\n");
  }

  @Test
  void readingHoldsItBackWhereWorkersFetch() {
    add(2, Stage.FETCH, 1000);
    assertThat(results.text(Integer.MAX_VALUE)).contains("What holds it back? Reading is the ");
  }

  @Test
  void withoutWorkersTheEstimateIsOfTheThreadThatLoadsBetweenSteps() {
    add(
        0,
        Stage.DECODE,
        1000); // 4 ms of 10 ms are the step, 6 ms loading: one worker reaches 4 of 6
    assertThat(results.workersEstimate()).hasValue(2);
    assertThat(results.text(Integer.MAX_VALUE))
        .contains("2 workers would suffice if each were as fast as the training loop's thread and");
  }

  @Test
  void estimateThatWasMeasuredToBeWrongIsNotMade() {
    add(1, Stage.FETCH, 1600); // so two should suffice
    add(2, Stage.FETCH, 1600);
    assertThat(results.workersEstimate()).isEmpty();
    assertThat(results.text(Integer.MAX_VALUE))
        .endsWith(
            "No estimate of how many would suffice: more were measured, and they were no"
                + " faster.\n");
  }

  @Test
  void estimateHoldsWhereWorkersHadToShareProcessors() {
    add(2, Stage.DECODE, 1600); // so three should suffice, but this machine has two processors
    add(4, Stage.DECODE, 1600);
    assertThat(results.workersEstimate()).hasValue(3);
  }

  @Test
  void ofAnEpochWithoutRowsNothingIsEstimated() {
    measured.add(LoaderOptions.defaults().workers(1).reading(), 0, MadeUpEpoch.of(0.5, 0));
    assertThat(setting(0).utilisation(STEP)).isZero();
    assertThat(results.workersEstimate()).isEmpty();
    assertThat(results.text(Integer.MAX_VALUE)).doesNotContain("Estimate");
  }
}
