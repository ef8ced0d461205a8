package dev.penstock.benchmarks.gpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// The one JSON of a run: the machine, each check, the figures, and what torch's part wrote. Its
/// file is written whenever a check begins or ends, so that it tells what is known if one ends the
/// process.
///
/// **Threads.** Safe for any.
final class CheckReport {
  /// What came of a check.
  ///
  /// @param wrong empty if it passed
  private record Result(String name, String wrong, double seconds) {}

  private final Path file;
  private final List<Result> results = new ArrayList<>();
  private Map<String, String> machine = Map.of();
  private Map<String, Double> figures = Map.of();
  private String running = "";
  private String absent = "";
  private String torch = "";

  /// @param file where it is written, again and again
  CheckReport(Path file) {
    this.file = file;
  }

  Path file() {
    return file;
  }

  synchronized void machine(Map<String, String> facts) {
    machine = new LinkedHashMap<>(facts);
  }

  synchronized void figures(Map<String, Double> measured) {
    figures = new LinkedHashMap<>(measured);
  }

  /// Says which check runs; until it ends, nothing has passed.
  synchronized void begin(String name) throws IOException {
    running = name;
    write();
  }

  /// Says how the check that runs has ended.
  ///
  /// @param wrong empty if it passed
  synchronized void end(String name, String wrong, double seconds) throws IOException {
    results.add(new Result(name, wrong, seconds));
    running = "";
    write();
  }

  /// Says that the check that runs has not ended in time.
  synchronized void hangs(int seconds) throws IOException {
    end(running, "has not ended when all had taken " + seconds + " seconds", seconds);
  }

  /// Says why nothing was checked.
  synchronized void absent(String reason) throws IOException {
    absent = reason;
    running = "";
    write();
  }

  /// Takes what torch's part wrote, a JSON object.
  synchronized void torch(String json) {
    torch = json;
  }

  /// Says why torch's part is left out, as a JSON object.
  synchronized void skipTorch(String json) throws IOException {
    torch = json;
    running = "";
    write();
  }

  synchronized Map<String, String> failures() {
    Map<String, String> failures = new LinkedHashMap<>();
    for (Result result : results) {
      if (!result.wrong().isEmpty()) {
        failures.put(result.name(), result.wrong());
      }
    }
    return failures;
  }

  synchronized Map<String, Double> figures() {
    return figures;
  }

  synchronized boolean isPassed() {
    return absent.isEmpty() && running.isEmpty() && failures().isEmpty();
  }

  private void write() throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try (JsonGenerator json =
        JsonFactory.builder()
            .build()
            .createGenerator(ObjectWriteContext.empty(), Files.newBufferedWriter(part))) {
      json.writeStartObject();
      json.writeBooleanProperty("passed", isPassed());
      if (!absent.isEmpty()) {
        json.writeStringProperty("absent", absent);
      }
      if (!running.isEmpty()) {
        json.writeStringProperty("running", running);
      }
      json.writeObjectPropertyStart("machine");
      machine.forEach(json::writeStringProperty);
      json.writeEndObject();
      json.writeArrayPropertyStart("checks");
      results.forEach(result -> write(json, result));
      json.writeEndArray();
      json.writeObjectPropertyStart("figures");
      figures.forEach(json::writeNumberProperty);
      json.writeEndObject();
      if (!torch.isEmpty()) {
        json.writeName("torch");
        json.writeRawValue(torch);
      }
      json.writeEndObject();
      json.writeRaw("\n");
    }
    Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void write(JsonGenerator json, Result result) {
    json.writeStartObject();
    json.writeStringProperty("name", result.name());
    json.writeBooleanProperty("passed", result.wrong().isEmpty());
    json.writeNumberProperty("seconds", result.seconds());
    if (!result.wrong().isEmpty()) {
      json.writeStringProperty("message", result.wrong());
    }
    json.writeEndObject();
  }
}
