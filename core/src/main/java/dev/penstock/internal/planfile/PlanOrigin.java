package dev.penstock.internal.planfile;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.storage.Location;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a plan was made of: which files were listed, and how they are read.
///
/// @param locations as the user gave them; the name of the table where a catalog lists the files
/// @param table the identity and version of a catalog's table; empty for folders and files
/// @param format the name of the files' format
/// @param formatOptions the options of the format
/// @param rules other options that change which files there are, such as `partitioning`, as the
///   command takes them
/// @param statistics the columns whose statistics the plan has
/// @param filter the filter whose matches the plan has, and how its columns are read; empty if it
///   has none
public record PlanOrigin(
    List<String> locations,
    String table,
    String format,
    SortedMap<String, String> formatOptions,
    SortedMap<String, String> rules,
    List<String> statistics,
    String filter) {
  public PlanOrigin {
    locations = List.copyOf(locations);
    formatOptions = new TreeMap<>(formatOptions);
    rules = new TreeMap<>(rules);
    statistics = List.copyOf(statistics);
  }

  /// Makes the origin of a plan without statistics and matches.
  public PlanOrigin(
      List<String> locations,
      String table,
      String format,
      Map<String, String> formatOptions,
      Map<String, String> rules) {
    this(
        locations,
        table,
        format,
        new TreeMap<>(formatOptions),
        new TreeMap<>(rules),
        List.of(),
        "");
  }

  /// Returns the same of a plan that has more.
  public PlanOrigin with(List<String> columns, String condition) {
    return new PlanOrigin(locations, table, format, formatOptions, rules, columns, condition);
  }

  /// Checks that a plan is of the same files, read in the same way.
  ///
  /// @throws IllegalArgumentException if not; the message shows both values of the first part that
  ///   differs
  public void require(Location plan, PlanOrigin here) {
    require(plan, "locations are", locations, here.locations);
    require(plan, "table is", table, here.table);
    require(plan, "format is", format, here.format);
    require(plan, "options of the format are", formatOptions, here.formatOptions);
    require(plan, "rules are", rules, here.rules);
  }

  private static void require(Location plan, String what, Object stated, Object here) {
    if (!stated.equals(here)) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot use plan '%s': the %s '%s' here but '%s' in the plan. Use the options that it"
                  + " was made with, or make a new plan.",
              plan, what, here, stated));
    }
  }
}
