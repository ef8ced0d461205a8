package dev.penstock.report;

import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import java.util.ArrayList;
import java.util.List;

/// The options of a loader that matter for its speed and its order, in words.
final class OptionList {
  private OptionList() {}

  static List<Option> of(LoaderOptions options) {
    List<Option> list = new ArrayList<>();
    list.add(new Option("batch size", String.valueOf(options.batching().size())));
    list.add(
        new Option(
            "workers",
            options.reading().autoWorkers()
                ? "automatic, at most " + options.reading().workers()
                : String.valueOf(options.reading().workers())));
    list.add(new Option("prefetch factor", String.valueOf(options.reading().prefetchFactor())));
    list.add(new Option("shuffle", options.order().shuffle().toString()));
    list.add(new Option("seed", String.valueOf(options.order().seed())));
    list.add(new Option("rank", options.rankShare().rank().orElse(Rank.SINGLE).toString()));
    list.add(
        new Option("memory", options.memoryUse().limitFor(options.reading().workers()).toString()));
    list.add(new Option("output", options.columns().output().toString()));
    options
        .batching()
        .composition()
        .ifPresent(how -> list.add(new Option("composition", how.toString())));
    if (options.transformation().function().isPresent()) {
      list.add(new Option("transform", "of " + options.transformation().rows() + " rows"));
    }
    return list;
  }
}
