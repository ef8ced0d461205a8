package dev.penstock.report;

import dev.penstock.stats.RankCosts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import tools.jackson.core.JsonGenerator;

/// What ranks cost, as JSON: a bounded number of points, however many steps there are.
final class WorkJson {
  private static final int POINTS_MAX = 200;

  private WorkJson() {}

  static void write(JsonGenerator json, RankCosts costs) {
    json.writeObjectPropertyStart("work");
    json.writeNumberProperty("ranks", costs.ranks());
    json.writeNumberProperty("steps", costs.steps());
    way(json, "inTurn", costs, costs.inTurn(), costs::inTurn);
    way(json, "balanced", costs, costs.balanced(), costs::balanced);
    json.writeObjectPropertyStart("points");
    int points = Math.min(POINTS_MAX, costs.steps());
    List<Integer> starts = new ArrayList<>();
    for (int point = 0; point < points; point++) {
      starts.add((int) ((long) costs.steps() * point / points));
    }
    new Columns(json).numbers("step", starts, Integer::longValue);
    points(json, "inTurn", starts, costs, costs::inTurn);
    points(json, "balanced", starts, costs, costs::balanced);
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void way(
      JsonGenerator json,
      String name,
      RankCosts costs,
      RankCosts.Imbalance of,
      BiFunction<Integer, Integer, Double> cost) {
    json.writeObjectPropertyStart(name);
    json.writeNumberProperty("median", of.median());
    json.writeNumberProperty("within2", of.within2());
    List<Double> means = new ArrayList<>();
    List<Double> mosts = new ArrayList<>();
    for (int rank = 0; rank < costs.ranks(); rank++) {
      double sum = 0;
      double most = 0;
      for (int step = 0; step < costs.steps(); step++) {
        sum += cost.apply(rank, step);
        most = Math.max(most, cost.apply(rank, step));
      }
      means.add(sum / Math.max(1, costs.steps()));
      mosts.add(most);
    }
    numbers(json, "means", means);
    numbers(json, "mosts", mosts);
    json.writeEndObject();
  }

  /// Writes how far the costliest rank is above the mean, as a mean of the steps of each point.
  private static void points(
      JsonGenerator json,
      String name,
      List<Integer> starts,
      RankCosts costs,
      BiFunction<Integer, Integer, Double> cost) {
    List<Double> above = new ArrayList<>();
    for (int point = 0; point < starts.size(); point++) {
      int end = point + 1 < starts.size() ? starts.get(point + 1) : costs.steps();
      double sum = 0;
      for (int step = starts.get(point); step < end; step++) {
        sum += above(costs.ranks(), step, cost);
      }
      above.add(sum / (end - starts.get(point)));
    }
    json.writeName(name);
    new Columns(json).shares(above);
  }

  private static double above(int ranks, int step, BiFunction<Integer, Integer, Double> cost) {
    double most = 0;
    double all = 0;
    for (int rank = 0; rank < ranks; rank++) {
      most = Math.max(most, cost.apply(rank, step));
      all += cost.apply(rank, step);
    }
    return all == 0 ? 0 : most * ranks / all - 1;
  }

  private static void numbers(JsonGenerator json, String name, List<Double> numbers) {
    json.writeArrayPropertyStart(name);
    numbers.forEach(json::writeNumber);
    json.writeEndArray();
  }
}
