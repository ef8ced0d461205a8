package dev.penstock.cli;

import dev.penstock.DataLoader;
import dev.penstock.cli.measure.ShuffleReport;
import dev.penstock.report.OrderSample;
import dev.penstock.report.Report;
import dev.penstock.report.Run;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The report of `load`: of a loader, with the command that made it, and where the shuffle sent
/// rows if that was measured.
///
/// **Threads.** Safe for any.
final class LoadReports {
  private final DataLoader loader;
  private final String command;
  private final Map<Long, OrderSample> orders = new ConcurrentHashMap<>(); // by epoch

  LoadReports(DataLoader loader, String command) {
    this.loader = loader;
    this.command = command;
  }

  /// Adds where the shuffle of an epoch sent rows.
  void add(ShuffleReport shuffle) {
    shuffle.order().ifPresent(order -> orders.put(shuffle.epoch(), order));
  }

  /// Returns the report of all epochs.
  Report complete() {
    return withOrders(Report.of(loader));
  }

  /// Returns the report so far; the plan of the first report stays.
  Report soFar(Report first) {
    return withOrders(first.runs(loader.history().stream().map(Run::of).toList())).live(true);
  }

  private Report withOrders(Report report) {
    return report.command(command).runs(report.runs().stream().map(this::withOrder).toList());
  }

  private Run withOrder(Run run) {
    OrderSample order = orders.get(run.epoch().stats().epoch());
    return order == null ? run : run.order(Optional.of(order));
  }
}
