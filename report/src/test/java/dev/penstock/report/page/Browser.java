package dev.penstock.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/// Chromium without a window, as a reader of pages. What a page logs and asks for is kept.
final class Browser implements AutoCloseable {
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final Path SCREENSHOTS = Path.of("target/screenshots");

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /// Starts a browser. Where there is none the tests are skipped, or fail if they were required to
  /// run.
  ///
  /// @param profile an empty folder
  static Browser start(Path profile) {
    if (!Files.isExecutable(CHROMIUM) || !Files.isExecutable(DRIVER)) {
      String absent = "Chromium and ChromeDriver are not at " + CHROMIUM + " and " + DRIVER;
      if ("required".equals(System.getProperty("penstock.browser"))) {
        throw new AssertionError(absent);
      }
      abort(absent);
    }
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM.toString());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--user-data-dir=" + profile.toAbsolutePath());
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    logs.enable(LogType.PERFORMANCE, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(new File(DRIVER.toString()))
            .usingAnyFreePort()
            .build();
    ChromeDriver driver = new ChromeDriver(service, options);
    driver.manage().timeouts().scriptTimeout(Duration.ofSeconds(30));
    return new Browser(driver);
  }

  /// Sets what a page finds: its width, and the theme of the system.
  void setScreen(int width, String theme) {
    emulate("", theme);
    setSize(width, 900);
  }

  /// Opens a page and waits until all of it is drawn. Logs begin anew.
  void open(String address) {
    driver.manage().logs().get(LogType.BROWSER);
    driver.manage().logs().get(LogType.PERFORMANCE);
    driver.get(address);
    await("document.documentElement.dataset.ready === 'true'");
  }

  void open(Path page) {
    open(page.toUri().toString());
  }

  /// Waits until an expression of the page is true.
  void await(String condition) {
    Object came =
        driver.executeAsyncScript(
            """
            const done = arguments[arguments.length - 1];
            const begun = Date.now();
            const look = () => {
              if (%s) done(true);
              else if (Date.now() - begun > 25000) done(false);
              else setTimeout(look, 20);
            };
            look();
            """
                .formatted(condition));
    assertThat(came).as(condition).isEqualTo(true);
  }

  /// Returns the value of an expression of the page, as JSON-like Java.
  Object value(String expression) {
    Object value = driver.executeScript("return " + expression);
    return value == null ? "null" : value;
  }

  String text(String expression) {
    return String.valueOf(value(expression));
  }

  double number(String expression) {
    return ((Number) value(expression)).doubleValue();
  }

  List<Object> list(String expression) {
    return new ArrayList<>((List<?>) value(expression));
  }

  void run(String script) {
    driver.executeScript(script);
  }

  /// Runs a script that ends with its promise; returns what that holds.
  Object promise(String promise) {
    Object held =
        driver.executeAsyncScript(
            "const done = arguments[arguments.length - 1];"
                + "("
                + promise
                + ").then(done, (failed) => done('failed: ' + failed));");
    return held == null ? "null" : held;
  }

  WebElement find(String selector) {
    return driver.findElement(By.cssSelector(selector));
  }

  void click(String selector) {
    run("document.querySelector(" + quoted(selector) + ").click()");
  }

  void press(CharSequence... keys) {
    Actions actions = new Actions(driver);
    for (CharSequence key : keys) {
      actions.sendKeys(key);
    }
    actions.perform();
  }

  /// Moves the pointer to an element; the place is relative to its middle, in pixels.
  void hover(String selector, int x, int y) {
    run("document.querySelector(" + quoted(selector) + ").scrollIntoView({ block: 'center' })");
    new Actions(driver).moveToElement(find(selector), x, y).moveByOffset(1, 0).perform();
  }

  /// Drags from the middle of an element.
  void drag(String selector, int x, int y) {
    hover(selector, 0, y);
    new Actions(driver)
        .clickAndHold()
        .moveByOffset(x / 2, 0)
        .moveByOffset(x / 2, 0)
        .release()
        .perform();
  }

  void paste() {
    new Actions(driver).keyDown(Keys.CONTROL).sendKeys("v").keyUp(Keys.CONTROL).perform();
  }

  /// What the page logged of faults, each as a line.
  List<String> faults() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .map(LogEntry::getMessage)
        .toList();
  }

  /// The addresses that the page asked for, itself among them; not those that are data themselves.
  List<String> requests() {
    return driver.manage().logs().get(LogType.PERFORMANCE).getAll().stream()
        .map(LogEntry::getMessage)
        .filter(message -> message.contains("\"Network.requestWillBeSent\""))
        .map(message -> message.replaceAll("(?s).*\"request\":\\{.*?\"url\":\"([^\"]*)\".*", "$1"))
        .filter(address -> !address.startsWith("data:"))
        .toList();
  }

  /// The page as paper has it: a PDF.
  byte[] print() {
    Object data =
        driver.executeCdpCommand("Page.printToPDF", Map.of("printBackground", true)).get("data");
    return Base64.getDecoder().decode((String) data);
  }

  /// Shows the page as paper has it, as far as style goes.
  void showPrinted(String theme) {
    emulate("print", theme);
    run("window.dispatchEvent(new Event('beforeprint'))");
  }

  /// Keeps a picture of the whole page for people to look at.
  void keep(String name, int width) {
    setSize(width, 900);
    setSize(width, (int) number("document.documentElement.scrollHeight"));
    promise("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
    try {
      Files.createDirectories(SCREENSHOTS);
      Files.write(SCREENSHOTS.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  static String quoted(String text) {
    return JsonText.of(text);
  }

  static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private void setSize(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
  }

  private void emulate(String media, String theme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "media",
            media,
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", theme))));
  }

  @Override
  public void close() {
    driver.quit();
  }
}
