package dev.penstock.report.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The data of a report, in the form of version 1, as a test wants them.
final class SampleReport {
  final Map<String, Object> data = new LinkedHashMap<>();
  private final List<Map<String, Object>> runs = new ArrayList<>();

  SampleReport(String title) {
    data.put("version", 1);
    data.put("penstock", "0.1.0");
    data.put("kind", "load");
    data.put("title", title);
    data.put("created", "2026-11-27T13:00:00Z");
    data.put("live", false);
    data.put(
        "command", "penstock load data/flights --workers 3 --shuffle global --batch-size 1024");
    data.put("dataset", "data/flights: 12 Parquet files, 2,000,000 rows, 31 columns");
    data.put(
        "machine",
        Map.of(
            "processors",
            4,
            "memoryBytes",
            25_000_000_000L,
            "java",
            "25.0.1",
            "system",
            "Linux amd64"));
    data.put(
        "options",
        List.of(
            option("batch size", "1024"),
            option("shuffle", "global, seed 7"),
            option("memory", "512 MB")));
    data.put("runs", runs);
  }

  /// A report of two epochs over 12 files.
  static SampleReport twoEpochs(long seed) {
    SampleReport report = new SampleReport("penstock load");
    SamplePlan plan = new SamplePlan(12, 3, seed);
    report.data.put("plan", plan.data());
    report.run(new SampleRun("epoch 0", 3, plan, 240, seed).data());
    SampleRun second = new SampleRun("epoch 1", 3, plan, 200, seed + 1);
    report.run(second.data());
    return report;
  }

  /// A report with as much of everything as there may be.
  static SampleReport huge(long seed) {
    SampleReport report = new SampleReport("penstock load");
    SamplePlan plan = new SamplePlan(10_000, 16, seed);
    report.data.put("plan", plan.data());
    report.run(new SampleRun("epoch 0", 16, plan, 10_000, seed).data());
    return report;
  }

  SampleReport run(Map<String, Object> run) {
    runs.add(run);
    return this;
  }

  Map<String, Object> run(int index) {
    return runs.get(index);
  }

  String json() {
    return JsonText.of(data);
  }

  static Map<String, Object> option(String name, String value) {
    return Map.of("name", name, "value", value);
  }
}
