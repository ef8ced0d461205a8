package dev.penstock.report;

import dev.penstock.internal.request.Described;
import dev.penstock.options.LoaderOptions;
import java.util.ArrayList;
import java.util.List;

/// The options of a loader, as the table of docs/reference/options.md names them.
final class OptionList {
  private OptionList() {}

  static List<Option> of(LoaderOptions options) {
    List<Option> list = new ArrayList<>();
    Described.options(options).forEach((name, value) -> list.add(new Option(name, value)));
    if (options.reading().autoWorkers()) {
      list.add(new Option("workers", "automatic, at most " + options.reading().workers()));
    }
    if (options.transformation().function().isPresent()) {
      list.add(new Option("transform", "of " + options.transformation().rows() + " rows"));
    }
    return list;
  }
}
