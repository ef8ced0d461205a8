package dev.penstock.report.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/// A plan: files of various sizes, cut into splits that are dealt to readers in turn.
final class SamplePlan {
  private static final int GROUP_ROWS = 50_000;

  final List<String> locations = new ArrayList<>();
  final List<Integer> rows = new ArrayList<>();
  private final List<Long> bytes = new ArrayList<>();
  private final List<Integer> groups = new ArrayList<>();
  private final Columns<Integer> splits = new Columns<>("reader", "file", "firstRow", "endRow");
  private final int readers;

  SamplePlan(int files, int readers, long seed) {
    this.readers = readers;
    Random random = new Random(seed);
    for (int file = 0; file < files; file++) {
      int groupCount = file == 3 ? 12 : 1 + random.nextInt(4);
      int count = groupCount * GROUP_ROWS - random.nextInt(GROUP_ROWS / 2);
      locations.add(
          String.format(
              Locale.ROOT,
              "data/flights/year=2008/month=%02d/part-%05d.parquet",
              file % 12 + 1,
              file));
      rows.add(count);
      groups.add(groupCount);
      bytes.add(count * (28L + random.nextInt(6)));
    }
    deal();
  }

  private void deal() {
    List<List<int[]>> dealt = new ArrayList<>();
    for (int reader = 0; reader < readers; reader++) {
      dealt.add(new ArrayList<>());
    }
    int next = 0;
    for (int file = 0; file < rows.size(); file++) {
      for (int from = 0; from < rows.get(file); from += 4 * GROUP_ROWS) {
        int to = Math.min(rows.get(file), from + 4 * GROUP_ROWS);
        dealt.get(next++ % readers).add(new int[] {file, from, to});
      }
    }
    for (int reader = 0; reader < readers; reader++) {
      for (int[] split : dealt.get(reader)) {
        splits.add("reader", reader);
        splits.add("file", split[0]);
        splits.add("firstRow", split[1]);
        splits.add("endRow", split[2]);
      }
    }
  }

  Map<String, Object> data() {
    List<Long> readerRows = new ArrayList<>();
    List<Long> readerBytes = new ArrayList<>();
    List<Integer> readerSplits = new ArrayList<>();
    for (int reader = 0; reader < readers; reader++) {
      long sum = 0;
      int count = 0;
      for (int split = 0; split < splits.of("reader").size(); split++) {
        if (splits.of("reader").get(split) == reader) {
          sum += splits.of("endRow").get(split) - splits.of("firstRow").get(split);
          count++;
        }
      }
      readerRows.add(sum);
      readerBytes.add(sum * 30);
      readerSplits.add(count);
    }
    long all = rows.stream().mapToLong(Integer::longValue).sum();
    Map<String, Object> plan = new LinkedHashMap<>();
    plan.put("epoch", 0);
    plan.put("rows", all);
    plan.put("bytes", bytes.stream().mapToLong(Long::longValue).sum());
    plan.put(
        "files", Map.of("location", locations, "bytes", bytes, "rows", rows, "rowGroups", groups));
    plan.put("splits", splits.data());
    plan.put("readers", Map.of("rows", readerRows, "bytes", readerBytes, "splits", readerSplits));
    plan.put("ranks", Map.of("rows", List.of(all, all - 1), "mine", 0));
    plan.put(
        "pruned",
        List.of(
            Map.of(
                "by",
                "folders",
                "files",
                24,
                "rows",
                4_100_000,
                "why",
                "'year' = 2006: not in (2008)"),
            Map.of(
                "by",
                "statistics",
                "files",
                3,
                "rows",
                512_000,
                "why",
                "'delay' is in [-20, 14]: not >= 15")));
    plan.put(
        "badFiles",
        List.of(
            Map.of(
                "location",
                "data/flights/year=2008/month=02/part-00099.parquet",
                "reason",
                "Truncated Parquet file: footer needs 4194 bytes but the file has 812.")));
    plan.put("work", work());
    return plan;
  }

  /// What two ranks cost in three steps.
  private static Map<String, Object> work() {
    Map<String, Object> inTurn = new LinkedHashMap<>();
    inTurn.put("median", 0.333);
    inTurn.put("within2", 0);
    inTurn.put("means", List.of(1, 2));
    inTurn.put("mosts", List.of(1, 2));
    Map<String, Object> balanced = new LinkedHashMap<>();
    balanced.put("median", 0);
    balanced.put("within2", 1);
    balanced.put("means", List.of(1.5, 1.5));
    balanced.put("mosts", List.of(1.6, 1.5));
    Map<String, Object> points = new LinkedHashMap<>();
    points.put("step", List.of(0, 1, 2));
    points.put("inTurn", List.of(0.3333, 0.3, 0.4));
    points.put("balanced", List.of(0, 0.01, 0));
    return Map.of("ranks", 2, "steps", 3, "inTurn", inTurn, "balanced", balanced, "points", points);
  }
}
