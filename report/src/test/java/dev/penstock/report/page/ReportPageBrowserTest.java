package dev.penstock.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.Stage;
import dev.penstock.stats.StageTimes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;

/// Pages as readers have them: in a browser.
@Tag("outer")
class ReportPageBrowserTest {
  private static final String HOSTILE = "</script><img src=x onerror=alert(1)>";

  @TempDir static Path folder;
  private static Browser browser;

  @BeforeAll
  static void start() {
    browser = Browser.start(folder.resolve("profile"));
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void setScreen() {
    browser.setScreen(1280, "light");
  }

  private static Path page(String name, SampleReport report) throws IOException {
    Path page = folder.resolve(name + ".html");
    try (OutputStream out = Files.newOutputStream(page)) {
      ReportPage.write(report.json(), out);
    }
    return page;
  }

  private static Path twoEpochs() throws IOException {
    return page("two", SampleReport.twoEpochs(7));
  }

  // How tests see what is drawn: the data of a chart's series, by the chart's name.
  private static String series(String chart, int index) {
    return "echarts.getInstanceByDom(document.querySelector("
        + Browser.quoted("[data-chart=\"" + chart + "\"] .plot")
        + ")).getOption().series["
        + index
        + "]";
  }

  private static String texts(String selector) {
    return "[...document.querySelectorAll("
        + Browser.quoted(selector)
        + ")].map((each) => each.textContent)";
  }

  private static Map<?, ?> map(Map<?, ?> data, String key) {
    return (Map<?, ?>) Objects.requireNonNull(data.get(key), key);
  }

  private static List<?> list(Map<?, ?> data, String key) {
    return (List<?>) Objects.requireNonNull(data.get(key), key);
  }

  private static double number(Map<?, ?> data, String key) {
    return ((Number) Objects.requireNonNull(data.get(key), key)).doubleValue();
  }

  private static List<?> list(Object value) {
    return (List<?>) value;
  }

  private static double sum(Object values) {
    return list(values).stream().mapToDouble(value -> ((Number) value).doubleValue()).sum();
  }

  /// The page that a loader writes, beside the loader's own numbers.
  @Nested
  class OfALoader {
    @Test
    void whatIsDrawnEqualsStats() throws IOException {
      StringBuilder text = new StringBuilder("id,half\n");
      for (int row = 0; row < 50_000; row++) {
        text.append(row).append(',').append(row / 2.0).append('\n');
      }
      Path files = Files.createDirectory(folder.resolve("rows"));
      for (int file = 0; file < 3; file++) {
        Files.writeString(files.resolve("part-" + file + ".csv"), text);
      }
      Path page = folder.resolve("loader.html");
      LoaderOptions options =
          LoaderOptions.defaults().workers(2).shuffle(Shuffle.window(9_000)).record(true);
      DataLoader loader =
          DataLoader.of(new StructuredDataset(files.toString()), options.rank(Rank.SINGLE));
      try (loader) {
        for (int epoch = 0; epoch < 2; epoch++) {
          loader.forEach(Batch::close);
        }
      }
      loader.report(page); // now that no clock runs any more
      LoaderStats stats = loader.stats();
      browser.open(page);

      assertThat(browser.text("document.getElementById('bottleneck').textContent"))
          .isEqualTo(stats.bottleneck().toString());
      StageTimes times = stats.times().ofWorkers();
      // A stage without time is not drawn.
      List<Stage> stages =
          Arrays.stream(Stage.values()).filter(stage -> times.nanos(stage) > 0).toList();
      for (int stage = 0; stage < stages.size(); stage++) {
        double drawn =
            sum(
                browser.list(
                    series("Time of the workers", stage) + ".data.map((bar) => bar.value)"));
        assertThat(drawn)
            .as(stages.get(stage).name())
            .isCloseTo(times.nanos(stages.get(stage)) / 1e9, within(1e-9));
      }
      assertThat(browser.text("document.body.textContent"))
          .contains("part-0.csv", "part-1.csv", "part-2.csv", "window:9000");
      assertThat(browser.text("document.querySelector('h1').textContent"))
          .isEqualTo(files + ", 150,000 rows");
      assertThat(browser.list(series("Splits of the readers", 0) + ".data")).isNotEmpty();
      assertThat(browser.list(series("Places of rows", 0) + ".data")).hasSizeBetween(3_000, 4_000);
      assertThat(browser.faults()).isEmpty();
      assertThat(browser.requests()).containsOnly(page.toUri().toString());
    }
  }

  @Nested
  class Drawn {
    private static final SampleReport report = SampleReport.twoEpochs(7);
    private final Map<String, Object> run = report.run(1);

    @BeforeAll
    static void open() throws IOException {
      browser.setScreen(1280, "light");
      browser.open(page("drawn", report));
    }

    @Test
    void barsOfWorkersAreTheirTimesByStage() {
      List<?> workers = list(run, "workers");
      for (int stage = 0; stage < SampleRun.STAGES.size(); stage++) {
        List<?> bars =
            browser.list(series("Time of the workers", stage) + ".data.map((bar) => bar.value)");
        for (int worker = 0; worker < workers.size(); worker++) {
          Object nanos = list((Map<?, ?>) workers.get(worker), "nanos").get(stage);
          double drawn = ((Number) bars.get(worker)).doubleValue();
          assertThat(drawn).isCloseTo(((Number) nanos).doubleValue() / 1e9, within(1e-12));
        }
      }
    }

    @Test
    void barOfTheConsumerIsItsWaitingAndTheRest() {
      double drawn =
          browser.number(
              "echarts.getInstanceByDom(document.querySelector('[data-chart=\"Time of the consumer\"]"
                  + " .plot')).getOption().series.reduce((all, each) => all + each.data[0].value, 0)");

      assertThat(drawn).isCloseTo(number(run, "seconds"), within(1e-6));
    }

    @Test
    void areasOfTheTimelineAreTheTimesOfStagesAndWaits() {
      Map<?, ?> slices = map(run, "slices");
      List<String> kinds = List.of("open", "fetch", "decompress", "decode", "filter", "transform");
      List<?> groups = browser.list(series("Timeline", 1) + ".data");
      for (int kind = 0; kind < kinds.size(); kind++) {
        double expected = sum(list(slices, kinds.get(kind)));
        assertThat(time(groups, kind)).isCloseTo(expected, within(expected * 1e-9));
      }
      double waited = sum(list(map(run, "waitSpans"), "waited"));
      assertThat(time(groups, kinds.size())).isCloseTo(waited, within(waited * 1e-9));
    }

    private double time(List<?> groups, int kind) {
      double time = 0;
      for (Object group : groups) {
        if (((Number) list(group).get(1)).intValue() == kind) {
          time += ((Number) list(group).get(4)).doubleValue();
        }
      }
      return time;
    }

    @Test
    void linesAreTheSamples() {
      Map<?, ?> samples = map(run, "samples");
      List<Object> memory = browser.list(series("Memory", 0) + ".data.map((point) => point[1])");
      List<Object> rates = browser.list(series("Rows per second", 0) + ".data.slice(1)");
      List<?> at = list(samples, "at");
      List<?> rows = list(samples, "rows");

      assertThat(memory).hasSameSizeAs(list(samples, "memory"));
      assertThat(sum(memory)).isEqualTo(sum(list(samples, "memory")));
      double delivered = 0;
      for (int k = 1; k < at.size(); k++) {
        double seconds =
            (((Number) at.get(k)).doubleValue() - ((Number) at.get(k - 1)).doubleValue()) / 1e6;
        delivered += ((Number) list(rates.get(k - 1)).get(1)).doubleValue() * seconds;
      }
      assertThat(delivered)
          .isCloseTo(((Number) rows.get(rows.size() - 1)).doubleValue(), within(1e-3));
    }

    @Test
    void splitsOfReadersAreAsLongAsTheirRows() {
      List<Object> drawn = browser.list(series("Splits of the readers", 0) + ".data");
      Map<?, ?> plan = map(report.data, "plan");
      List<?> rows = list(map(plan, "readers"), "rows");
      double[] lengths = new double[rows.size()];
      for (Object split : drawn) {
        int reader = ((Number) list(split).get(0)).intValue();
        lengths[reader] +=
            ((Number) list(split).get(2)).doubleValue()
                - ((Number) list(split).get(1)).doubleValue();
      }

      assertThat(lengths)
          .containsExactly(
              rows.stream().mapToDouble(value -> ((Number) value).doubleValue()).toArray());
      assertThat(drawn).hasSameSizeAs(list(map(plan, "splits"), "reader"));
    }

    @Test
    void pointsOfTheShuffleAreItsSample() {
      List<Object> points = browser.list(series("Places of rows", 0) + ".data");
      Map<?, ?> order = map(run, "order");

      assertThat(points).hasSameSizeAs(list(order, "delivered"));
      assertThat(
              browser.number(
                  series("Places of rows", 0) + ".data.reduce((all, p) => all + p[1], 0)"))
          .isEqualTo(sum(list(order, "inFiles")));
    }

    @Test
    void theSentenceOfTheBottleneckIsTheLargestText() {
      assertThat(browser.text("document.getElementById('bottleneck').textContent"))
          .isEqualTo(run.get("bottleneck"));
      assertThat(browser.text("document.title")).isEqualTo("penstock load – Penstock report");
    }

    @Test
    void theMedianIsDrawnWhereItIs() {
      String chart =
          "echarts.getInstanceByDom(document.querySelector('[data-chart=\"Time of workers in"
              + " files\"] .plot'))";
      List<Double> seconds =
          list(map(run, "skew"), "seconds").stream()
              .map(value -> ((Number) Objects.requireNonNull(value)).doubleValue())
              .sorted()
              .toList();
      int half = seconds.size() / 2;
      double median =
          seconds.size() % 2 == 1
              ? seconds.get(half)
              : (seconds.get(half - 1) + seconds.get(half)) / 2;

      assertThat(
              browser.number(
                  chart
                      + ".getZr().storage.getDisplayList().find((each) => each.type ==="
                      + " 'ec-line').shape.x1"))
          .isCloseTo(
              browser.number(chart + ".convertToPixel({ xAxisIndex: 0 }, " + median + ")"),
              within(1.0));
    }

    @Test
    void barsOfSkewHaveTheirNames() {
      assertThat(
              browser.list(
                  "echarts.getInstanceByDom(document.querySelector('[data-chart=\"Bytes of files\"]"
                      + " .plot')).getOption().yAxis[0].data"))
          .hasSize(12)
          .contains("part-00003.parquet", "part-00011.parquet");
    }

    @Test
    void numbersOnBarsAreBlackOrWhiteWithoutABackground() {
      String labels = series("Time of the consumer", 1) + ".label";
      assertThat(browser.text(labels + ".color")).isEqualTo("#fff");
      assertThat(browser.text("penstock.chart.ink('rgb(194, 116, 0)')")).isEqualTo("#000");
      assertThat(browser.text("String(" + labels + ".backgroundColor)")).isEqualTo("undefined");
    }

    @Test
    void stepsOfBytesAreWholeUnits() {
      assertThat(browser.list("Object.values(penstock.format.byteAxis(1.55 * 1024 * 1024))"))
          .isEqualTo(List.of(1L << 20, 1L << 21));
      assertThat(browser.list("Object.values(penstock.format.byteAxis(0))"))
          .isEqualTo(List.of(1L, 1L));
    }

    @Test
    void theVersionOfTheChartsIsNamed() {
      assertThat(browser.text("document.querySelector('footer').textContent"))
          .contains("Apache ECharts " + browser.text("echarts.version") + " under Apache-2.0");
    }

    @Test
    void numbersOfAChartAreExact() {
      browser.run("document.querySelector('[data-chart=\"Timeline\"] details').open = true");
      browser.await("document.querySelector('[data-chart=\"Timeline\"] tbody tr')");

      Map<?, ?> slices = map(run, "slices");
      Map<?, ?> waits = map(run, "waitSpans");
      int all = list(slices, "worker").size() + list(waits, "worker").size();
      assertThat(
              browser.text(
                  "document.querySelector('[data-chart=\"Timeline\"] .pager span').textContent"))
          .isEqualTo("1–50 of " + all);
    }

    @Test
    void chartsSayTheirResultInASentence() {
      assertThat(
              browser.list(
                  "[...document.querySelectorAll('.plot')].filter((each) =>"
                      + " each.getAttribute('role') !== 'img' || !/: .+\\.$/.test(each.getAttribute('aria-label')))"))
          .isEmpty();
      assertThat(
              browser.text(
                  "document.querySelector('[data-chart=\"Bytes of files\"] .plot').ariaLabel"))
          .contains("part-00003.parquet has the most, ");
    }
  }

  @Nested
  class Tables {
    @BeforeEach
    void open() throws IOException {
      browser.open(twoEpochs());
    }

    @Test
    void headersSortTheirColumn() {
      String bytes = "#readers > div > .sheet thead th:nth-child(2)";
      browser.click(bytes + " button");

      assertThat(browser.text("document.querySelector('" + bytes + "').ariaSort"))
          .isEqualTo("descending");
      assertThat(browser.list(texts("#readers > div > .sheet tbody th")).getFirst())
          .isEqualTo("data/flights/year=2008/month=04/part-00003.parquet");

      browser.click(bytes + " button");

      assertThat(browser.text("document.querySelector('" + bytes + "').ariaSort"))
          .isEqualTo("ascending");
      assertThat(browser.list(texts("#readers > div > .sheet tbody th")).getLast())
          .isEqualTo("data/flights/year=2008/month=04/part-00003.parquet");
    }

    @Test
    void lastStepsHaveTheirDigests() {
      assertThat(browser.list(texts("#steps table:last-of-type tbody td")))
          .contains("1,024", "0123456789abcdef", "1,000", "89abcdef01234567", "fedcba9876543210");
      assertThat(browser.text("document.querySelector('#steps .result').innerText"))
          .startsWith("Rank 3 of 8 received ")
          .endsWith(", with the digest fedcba9876543210 of all.");
    }

    @Test
    void copiedTablesAreTextWithTabs() {
      assertCopied();
    }

    @Test
    void tablesAreCopiedWhereTheClipboardIsNotAllowed() {
      browser.find(".command button").sendKeys(Keys.ENTER);
      browser.await("document.querySelector('.command button').textContent === 'Copied'");
      browser.run("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))");

      assertCopied();
    }

    private void assertCopied() {
      browser.run(
          "const area = document.createElement('textarea'); area.id = 'pasted'; document.body.prepend(area)");
      browser.find("#readers > div > .sheet .sheet-bar button").sendKeys(Keys.ENTER);
      browser.await(
          "document.querySelector('#readers > div > .sheet .sheet-bar button').textContent === 'Copied'");
      browser.run("document.getElementById('pasted').focus()");
      browser.paste();

      List<String> lines = browser.text("document.getElementById('pasted').value").lines().toList();
      assertThat(lines).hasSize(13);
      assertThat(lines.get(0)).isEqualTo("file\tbytes\trows\trow groups\treaders");
      assertThat(lines.get(4))
          .matches("data/flights/year=2008/month=04/part-00003.parquet\t\\d+\t\\d+\t12\t0, 1, 2");
    }

    @Test
    void anotherRunIsChosenByItsName() {
      browser.click(".runs thead button");

      assertThat(browser.text("document.querySelector('.hero h2').textContent"))
          .isEqualTo("Bottleneck of epoch 0");
      assertThat(browser.text("document.getElementById('run').value")).isEqualTo("0");
      assertThat(browser.list(texts(".runs thead .chosen"))).isEqualTo(List.of("epoch 0"));
    }

    @Test
    void theChosenRunIsInSightOnPhones() throws IOException {
      SampleReport report = SampleReport.twoEpochs(7);
      for (int epoch = 2; epoch < 9; epoch++) {
        report.run(new SampleRun("epoch " + epoch, 3, new SamplePlan(12, 3, 7), 20, 7).data());
      }
      browser.setScreen(390, "light");
      browser.open(page("nine", report));
      String seen =
          "[...document.querySelectorAll('.runs .chosen')].every((each) => { const {left, right} ="
              + " each.getBoundingClientRect(), box ="
              + " document.querySelector('.runs').parentElement.getBoundingClientRect(), first ="
              + " document.querySelector('.runs th').getBoundingClientRect(); return left >="
              + " first.right - 1 && right <= box.right + 1; })";

      assertThat(browser.text("String(" + seen + ")")).isEqualTo("true");
      browser.run("document.querySelectorAll('.runs thead button')[0].click()");
      assertThat(browser.text("String(" + seen + ")")).isEqualTo("true");
      browser.setScreen(1280, "light");
    }

    @Test
    void theRecommendedRunIsMarkedAndShownFirst() throws IOException {
      SampleReport report = SampleReport.twoEpochs(7);
      report.run(0).put("recommended", true);
      browser.open(page("recommended", report));

      assertThat(browser.list(texts(".runs thead .chosen")))
          .isEqualTo(List.of("epoch 0recommended"));
      assertThat(browser.text("document.querySelector('#run option:checked').textContent"))
          .isEqualTo("epoch 0 (recommended)");
    }

    @Test
    void howBusyAnAcceleratorWasIsShownWhereItWasMeasured() throws IOException {
      String rows = texts(".runs tbody th");
      String facts = texts(".facts dt");
      assertThat(browser.list(rows)).contains("consumer waited").doesNotContain("accelerator busy");
      assertThat(browser.list(facts)).doesNotContain("Accelerator busy");

      SampleReport report = SampleReport.twoEpochs(7);
      report.run(0).put("utilisation", 0.25);
      report.run(1).put("utilisation", 0.75);
      browser.open(page("busy", report));

      assertThat(browser.list(rows)).contains("accelerator busy");
      assertThat(
              browser.list(
                  "[...document.querySelectorAll('.runs tbody tr')].find((row) =>"
                      + " row.firstChild.textContent === 'accelerator busy').querySelectorAll('td')"
                      + ".values().map((cell) => cell.textContent).toArray()"))
          .isEqualTo(List.of("25\u202f%", "best 75\u202f%"));
      assertThat(browser.list(facts)).contains("Accelerator busy");
    }

    @Test
    void theBestOfEachRowIsMarked() {
      assertThat(browser.list(texts(".runs tbody tr:first-child td"))).hasSize(2);
      assertThat(browser.list(texts(".runs td.best .mark"))).isNotEmpty().containsOnly("best");
      // Runs of different rows take different times, so neither is the better.
      assertThat(
              browser.list(
                  "[...document.querySelectorAll('.runs tbody tr')].filter((row) =>"
                      + " row.querySelector('.best')).map((row) => row.firstChild.textContent)"))
          .isEqualTo(List.of("rows/s", "consumer waited"));
    }
  }

  @Nested
  class Compared {
    @Test
    void runsOfAnotherReportFollowInTheTable() throws IOException {
      Path other = page("before", SampleReport.twoEpochs(8));
      browser.open(twoEpochs());

      browser.find("#compare").sendKeys(other.toString());
      browser.await("document.querySelectorAll('.runs thead th').length === 5");

      assertThat(browser.list(texts(".runs thead th")))
          .isEqualTo(List.of("Run", "epoch 0", "epoch 1", "epoch 0 (before)", "epoch 1 (before)"));
      assertThat(browser.list(series("Rows per second", 1) + ".data").size()).isGreaterThan(100);
      assertThat(browser.faults()).isEmpty();
    }

    @Test
    void packedReportsAreRead() throws IOException {
      Path other = page("large", SampleReport.huge(8));
      browser.open(twoEpochs());

      browser.find("#compare").sendKeys(other.toString());

      browser.await("document.querySelectorAll('.runs thead th').length === 4");
    }

    @Test
    void aFileThatIsNoReportIsNamed() throws IOException {
      Path other = Files.writeString(folder.resolve("wrong.html"), "<p>no report</p>");
      browser.open(twoEpochs());

      browser.find("#compare").sendKeys(other.toString());
      browser.await("document.querySelector('.fault').textContent");

      assertThat(browser.text("document.querySelector('.fault').textContent"))
          .isEqualTo(
              "Cannot compare with 'wrong.html': it has no element \"report\". Choose a report that"
                  + " Penstock wrote.");
    }
  }

  @Nested
  class Seen {
    @Test
    void theSystemsThemeHoldsUntilTheButtonIsPressed() throws IOException {
      browser.setScreen(1280, "dark");
      browser.open(twoEpochs());
      assertThat(background()).isEqualTo("rgb(15, 17, 21)");

      browser.setScreen(1280, "light");
      assertThat(background()).isEqualTo("rgb(244, 245, 247)");
      // The page draws anew when it hears of it, which may be after this.
      browser.await(series("Rows per second", 0) + ".lineStyle.color === 'rgb(11, 87, 176)'");

      browser.click("#theme");
      assertThat(background()).isEqualTo("rgb(15, 17, 21)");
      assertThat(browser.text(series("Rows per second", 0) + ".lineStyle.color"))
          .isEqualTo("rgb(138, 184, 248)");
    }

    private String background() {
      return browser.text("getComputedStyle(document.body).backgroundColor");
    }

    @Test
    void phonesNeedNoScrollingToTheSide() throws IOException {
      browser.setScreen(360, "light");
      SampleReport report = SampleReport.twoEpochs(7);
      report.data.put("title", "a-title-without-any-space".repeat(8));
      report.data.put("dataset", "s3://bucket/" + "folder-of-a-long-name".repeat(12));
      report.data.put("command", "penstock load " + "x".repeat(300));
      browser.open(page("phone", report));

      assertThat(browser.number("document.documentElement.scrollWidth")).isEqualTo(360);
      assertThat(
              browser.number(
                  "Math.max(...[...document.querySelectorAll('.plot canvas')].map((each) => each.getBoundingClientRect().right))"))
          .isLessThanOrEqualTo(360);
    }

    @Test
    void paperIsLightAndHasAllChartsAsImages() throws IOException {
      browser.setScreen(1280, "dark");
      browser.open(twoEpochs());

      byte[] pdf = browser.print();

      assertThat(Browser.latin(pdf)).startsWith("%PDF-").containsPattern("/Type\\s*/Page\\b");
      assertScreenIsDark();
      browser.showPrinted("dark");
      assertThat(background()).isEqualTo("rgb(255, 255, 255)");
      String charts =
          "[...document.querySelectorAll('.chart')].filter((each) => each.checkVisibility())";
      assertThat(browser.list(charts)).hasSizeGreaterThan(10);
      assertThat(
              browser.list(
                  charts
                      + ".map((each) => each.querySelector('.printed'))"
                      + ".filter((each) => !each.src.startsWith('data:image/png') || !each.alt)"))
          .isEmpty();
      assertThat(
              browser.list(
                  "[...document.querySelectorAll('button, select, canvas')].filter((each) =>"
                      + " each.checkVisibility() && !each.closest('th'))"))
          .isEmpty();
      browser.keep("paper", 720);
    }

    /// Nothing of the paper is left on the screen.
    private void assertScreenIsDark() {
      assertThat(background()).isEqualTo("rgb(15, 17, 21)");
      assertThat(
              browser.list("[...document.querySelectorAll('.printed')].filter((each) => each.src)"))
          .isEmpty();
      assertThat(
              browser.number(
                  "document.querySelector('[data-chart=\"Timeline\"] canvas').clientWidth"))
          .isGreaterThan(1000);
    }

    @Test
    void picturesAreKeptForPeople() throws IOException {
      browser.open(twoEpochs());
      browser.keep("light", 1280);
      browser.setScreen(1280, "dark");
      browser.keep("dark", 1280);
      browser.setScreen(360, "light");
      browser.keep("phone", 360);

      for (String name : List.of("light", "dark", "phone")) {
        assertThat(Path.of("target/screenshots", name + ".png")).isNotEmptyFile();
      }
    }
  }

  @Nested
  class ByKeys {
    @BeforeEach
    void open() throws IOException {
      browser.open(twoEpochs());
    }

    @Test
    void tabReachesAllControls() {
      String controls =
          "[...document.querySelectorAll('a[href], button, select, summary, [tabindex=\"0\"]')]"
              + ".filter((each) => each.checkVisibility({ visibilityProperty: true }))";
      int all = (int) browser.number(controls + ".length");
      browser.run(
          "window.reached = new Set(); document.addEventListener('focusin', (event) => reached.add(event.target))");
      CharSequence[] tabs = new CharSequence[all + 2];
      Arrays.fill(tabs, Keys.TAB);
      browser.press(tabs);

      assertThat(
              browser.list(
                  controls + ".filter((each) => !reached.has(each)).map((each) => each.outerHTML)"))
          .isEmpty();
    }

    @Test
    void theFirstTabSkipsToTheReport() {
      browser.press(Keys.TAB);
      assertThat(browser.text("document.activeElement.textContent"))
          .isEqualTo("Skip to the report");
      assertThat(browser.text("getComputedStyle(document.activeElement).outlineStyle"))
          .isEqualTo("solid");

      browser.press(Keys.ENTER);
      assertThat(browser.text("document.activeElement.id")).isEqualTo("main");
    }

    @Test
    void keysZoomAllChartsOfTheTime() {
      browser.find(".zoom button").sendKeys("+", "+", Keys.ARROW_RIGHT);
      browser.await(zoomed("Timeline") + " < " + length() + " / 3");

      assertThat(browser.number(zoomed("Memory"))).isEqualTo(browser.number(zoomed("Timeline")));
      assertThat(browser.number(from("Timeline"))).isCloseTo(length() * 7 / 16, within(2.0));
      assertThat(browser.text("document.querySelector('.zoom .span').textContent"))
          .contains(" to ");

      browser.find(".zoom button").sendKeys("0");
      browser.await(zoomed("Timeline") + " >= " + length() + " - 1");
    }

    private double length() {
      return browser.number("penstock.main.state.report.runs[1].seconds * 1e6");
    }

    private String from(String chart) {
      return zoom(chart) + ".startValue";
    }

    private String zoomed(String chart) {
      return zoom(chart) + ".endValue - " + from(chart);
    }

    private String zoom(String chart) {
      return "echarts.getInstanceByDom(document.querySelector('[data-chart=\""
          + chart
          + "\"] .plot')).getOption().dataZoom[0]";
    }
  }

  @Nested
  class ByMouse {
    @Test
    void draggingMovesTheTime() throws IOException {
      browser.open(twoEpochs());
      browser.find(".zoom button").sendKeys("+", "+");
      String from =
          "penstock.chart.all.find((each) => each.element.dataset.chart === 'Timeline')"
              + ".instance.getOption().dataZoom[0].startValue";
      browser.await("document.querySelector('.zoom .span').textContent.includes(' to ')");
      double before = browser.number(from);

      browser.drag("[data-chart=\"Timeline\"] .plot", 200, -60);

      browser.await(from + " < " + (before - 1));
      assertThat(
              browser.number(
                  "penstock.chart.all.find((each) => each.element.dataset.chart === 'Memory')"
                      + ".instance.getOption().dataZoom[0].startValue"))
          .isEqualTo(browser.number(from));
    }

    @Test
    void theTimelineSaysWhatIsBelowThePointer() throws IOException {
      browser.open(twoEpochs());
      for (int zoom = 0; zoom < 5; zoom++) {
        browser.find(".zoom button").sendKeys("+");
      }
      browser.await("document.querySelector('.zoom .span').textContent.includes(' to ')");
      browser.hover("[data-chart=\"Timeline\"] .plot", 0, -40);
      browser.await("document.querySelector('.tip')");

      assertThat(browser.text("document.querySelector('.tip').textContent"))
          .containsPattern("part-\\d+\\.parquetsliceworker [01]")
          .contains("decoding");
    }
  }

  @Nested
  class OfAllKinds {
    @Test
    void noPageLogsFaultsOrAsksForAnything() throws IOException {
      for (Path page : pages()) {
        browser.open(page);

        assertThat(browser.faults()).as(page.toString()).isEmpty();
        assertThat(browser.text("document.body.innerText"))
            .as(page.toString())
            .doesNotContainPattern("NaN|Infinity|undefined|null");
        assertThat(browser.requests()).as(page.toString()).containsOnly(page.toUri().toString());
      }
    }

    private List<Path> pages() throws IOException {
      List<Path> pages = new ArrayList<>(List.of(twoEpochs()));
      SampleReport plan = new SampleReport("penstock plan");
      plan.data.put("plan", new SamplePlan(3, 2, 1).data());
      pages.add(page("plan", plan));
      pages.add(page("empty", new SampleReport("nothing")));
      SampleReport totals = SampleReport.twoEpochs(3);
      for (String each : List.of("files", "slices", "waitSpans", "samples", "order", "skew")) {
        totals.run(1).remove(each);
      }
      totals.run(1).put("recorded", false);
      pages.add(page("totals", totals));
      SampleReport idle = new SampleReport("penstock load");
      idle.run(SampleRun.idle());
      pages.add(page("idle", idle));
      return pages;
    }

    @Test
    void sectionsAreLeftOutWithTheirData() throws IOException {
      List<Path> pages = pages();
      String shown =
          "[...document.querySelectorAll('.card')].filter((each) => !each.hidden).map((each) => each.id)";

      browser.open(pages.get(1));
      assertThat(browser.list(shown))
          .isEqualTo(List.of("", "readers", "pruned", "skew", "work", "options"));
      browser.open(pages.get(2));
      assertThat(browser.list(shown)).isEqualTo(List.of("", "options"));
      browser.open(pages.get(3));
      assertThat(browser.text("document.querySelector('#timeline').innerText"))
          .contains("Set LoaderOptions.record(true) for a timeline.");
    }

    @Test
    void costsOfRanksAreDrawnAndListed() throws IOException {
      browser.open(pages().get(1));

      assertThat(browser.text("document.querySelector('#work .result').innerText"))
          .containsPattern(
              "^Of 2.ranks, the costliest is 33.3.% above the mean in half of the steps dealt in"
                  + " turn, 0.% balanced; at most 2.% in 100.% of 3.steps\\.$");
      assertThat(browser.list(texts("#work > div > .sheet tbody th"))).isEqualTo(List.of("0", "1"));
    }

    @Test
    void legendsNameOnlyWhatIsThere() throws IOException {
      SampleReport report = new SampleReport("penstock load");
      Map<String, Object> run = new SampleRun("epoch 0", 2, new SamplePlan(3, 2, 1), 40, 1).data();
      report.run(run);
      int stages = SampleRun.STAGES.size();
      Long[] decoding = new Long[stages];
      Arrays.fill(decoding, 0L);
      decoding[SampleRun.STAGES.indexOf("DECODE")] = 1_000_000L;
      List<Long> nanos = List.of(decoding);
      run.put("workers", List.of(Map.of("worker", 0, "parked", false, "nanos", nanos)));
      run.put("waitedFor", nanos);
      for (String stage : List.of("open", "fetch", "decompress", "filter", "transform")) {
        map(run, "slices").remove(stage);
      }
      browser.open(page("decoding", report));

      assertThat(browser.list(texts("#time .legend li")))
          .isEqualTo(List.of("decoding", "did not wait"));
      assertThat(browser.list(texts("#timeline > div .legend")).getFirst().toString())
          .startsWith("decodingwaiting (lower blocks)gaps of a worker");
    }

    @Test
    void aRunThatIsAloneHasNoTableOfRuns() throws IOException {
      SampleReport report = new SampleReport("penstock load");
      report.run(new SampleRun("epoch 0", 2, new SamplePlan(3, 2, 1), 40, 1).data());
      browser.open(page("alone", report));

      assertThat(browser.text("String(document.getElementById('runs').hidden)")).isEqualTo("true");
      assertThat(browser.text("document.querySelector('.facts').innerText"))
          .contains("Longest wait", "9.70", " of s3", "requests asked again");
    }

    @Test
    void splitsThatAreNotListedAreCounted() throws IOException {
      Map<String, Object> plan = new SamplePlan(3, 2, 1).data();
      int listed = list(map(plan, "splits"), "reader").size();
      plan.put("splitsMore", 7);
      plan.put(
          "readers",
          Map.of("rows", List.of(9, 8), "bytes", List.of(9, 8), "splits", List.of(listed, 7)));
      SampleReport report = new SampleReport("penstock plan");
      report.data.put("plan", plan);
      browser.open(page("splits", report));

      int all = listed + 7;
      assertThat(browser.text("document.querySelector('#readers .result').textContent"))
          .matches("2\\Wreaders read 3\\Wfiles in " + all + "\\Wsplits\\. .*");
      assertThat(browser.text("document.querySelector('#readers .note').textContent"))
          .isEqualTo(
              "The report lists the first "
                  + listed
                  + " of "
                  + all
                  + " splits, reader by reader; the rest is missing in the chart, its numbers and"
                  + " the readers of the files.");
    }

    @Test
    void hostileNamesAreOnlyText() throws IOException {
      SamplePlan plan = new SamplePlan(4, 2, 1);
      plan.locations.set(1, "data/" + HOSTILE + ".parquet");
      SampleReport report = new SampleReport(HOSTILE);
      report.data.put("plan", plan.data());
      report.data.put("dataset", HOSTILE);
      report.run(new SampleRun(HOSTILE, 2, plan, 40, 1).data());
      browser.open(page("hostile", report));

      assertThat(browser.number("document.querySelectorAll('img:not(.printed)').length")).isZero();
      assertThat(browser.text("document.querySelector('h1').textContent")).isEqualTo(HOSTILE);
      assertThat(browser.list(texts("#readers tbody th"))).asString().contains(HOSTILE);
      assertThat(browser.faults()).isEmpty();
    }

    @Test
    void dataOfAnotherVersionAreRefused() throws IOException {
      SampleReport report = SampleReport.twoEpochs(1);
      report.data.put("version", 2);
      Path page = page("later", report);
      browser.open(page.toUri() + "");

      assertThat(browser.text("document.querySelector('.fault').textContent"))
          .isEqualTo(
              "Cannot show this report: its data have version 2 but this page reads version 1.");
    }
  }

  @Nested
  class Large {
    @Test
    void tenThousandOfEverythingStayBelowTwoMegabytesAndZoom() throws IOException {
      Path page = page("huge", SampleReport.huge(7));
      assertThat(Files.size(page)).isLessThan(2_000_000);
      browser.open(page);
      String blocks = series("Timeline", 1) + ".data.reduce((all, each) => all + each[4], 0)";
      double before = browser.number(blocks);

      browser.find(".zoom button").sendKeys("+");
      browser.await(blocks + " < " + before * 0.6);

      assertThat(browser.faults()).isEmpty();
    }

    @Test
    void allFilesAreReached() throws IOException {
      browser.open(page("huge", SampleReport.huge(7)));
      String place = "document.querySelector('#readers > div > .sheet .pager span').textContent";
      assertThat(browser.text(place)).isEqualTo("1–50 of 10,000");

      browser.click("#readers > div > .sheet .pager button:last-child");

      assertThat(browser.text(place)).isEqualTo("9,951–10,000 of 10,000");
      assertThat(browser.list(texts("#readers > div > .sheet tbody th")).getLast())
          .asString()
          .endsWith("part-09999.parquet");
    }
  }

  @Nested
  class Live {
    @Test
    void newDataAreDrawnWithoutLosingZoomFocusOrScroll() throws IOException {
      SampleReport report = SampleReport.twoEpochs(7);
      report.data.put("live", true);
      try (LiveServer server = new LiveServer(report.json())) {
        browser.open(server.address());
        browser.await("document.getElementById('status').textContent === 'running'");
        browser.find(".zoom button").sendKeys("+");
        browser.run("document.documentElement.scrollTop = 700");
        String zoom = "document.querySelector('.zoom .span').textContent";
        browser.await(zoom + ".includes(' to ')");
        String from = browser.text(zoom).replaceFirst(" of .*", "");
        double scroll = browser.number("document.documentElement.scrollTop");

        report.data.put("title", "penstock load, later");
        server.show(report.json());
        browser.await("document.querySelector('h1').textContent === 'penstock load, later'");

        assertThat(browser.text(zoom)).startsWith(from);
        assertThat(browser.text("document.activeElement.textContent")).isEqualTo("Zoom in");
        assertThat(browser.number("document.documentElement.scrollTop")).isEqualTo(scroll);
        assertThat(server.queries()).isNotEmpty().containsOnly("token=secret");
        assertThat(browser.faults()).isEmpty();
      }
    }

    @Test
    void theStatusSaysThatTheRunEnded() throws IOException {
      SampleReport report = SampleReport.twoEpochs(7);
      report.data.put("live", true);
      try (LiveServer server = new LiveServer(report.json())) {
        browser.open(server.address());
        report.data.put("live", false);
        server.show(report.json());

        browser.await("document.getElementById('status').textContent === 'ended'");
      }
    }

    @Test
    void theStatusSaysThatTheConnectionIsLost() throws IOException {
      SampleReport report = SampleReport.twoEpochs(7);
      report.data.put("live", true);
      try (LiveServer server = new LiveServer(report.json())) {
        browser.open(server.address());
      }

      browser.await("document.getElementById('status').textContent === 'connection lost'");
    }
  }

  @Nested
  class Accessible {
    @ParameterizedTest
    @CsvSource({"1280, light", "1280, dark", "390, light", "390, dark"})
    void axeFindsNothing(int width, String theme) throws IOException {
      browser.setScreen(width, theme);
      browser.open(twoEpochs());
      browser.run(
          "document.querySelector('[data-chart=\"Time of the workers\"] details').open = true");
      browser.await("document.querySelector('[data-chart=\"Time of the workers\"] tbody tr')");
      browser.run(axe());

      Object violations =
          browser.promise(
              "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],"
                  + " resultTypes: ['violations'] })"
                  + ".then((result) => result.violations.map((each) => each.id + ': ' + each.help + ' '"
                  + " + each.nodes.slice(0, 3).map((node) => node.html).join(' | ')))");

      assertThat(list(violations)).isEmpty();
    }

    private String axe() throws IOException {
      try (InputStream in = ReportPageBrowserTest.class.getResourceAsStream("/axe.min.js")) {
        assertThat(in).isNotNull();
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
  }
}
