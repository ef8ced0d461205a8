package dev.penstock.data;

import dev.penstock.internal.choice.Sentence;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/// Datasets of one size side by side: row `i` is a list or a map of row `i` of each.
///
/// The rows of a batch are read together, with one call per dataset.
///
/// **Threads.** As the datasets.
///
/// @param <R> what a row is: `List<Object>` or `Map<String, Object>`
public final class StackDataset<R> implements MapDataset<R> {
  private final List<MapDataset<?>> datasets;
  private final RowForm<R> form;

  private StackDataset(Collection<? extends MapDataset<?>> datasets, RowForm<R> form) {
    this.datasets = List.copyOf(datasets);
    this.form = form;
    if (datasets.isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot stack datasets: there is none. Give at least one.");
    }
    Iterator<String> names = form.names().iterator();
    for (MapDataset<?> dataset : datasets) {
      String name = names.next();
      if (dataset.size() != size()) {
        throw new IllegalArgumentException(
            Sentence.of(
                "Cannot stack datasets: '%s' has %s rows but '%s' has %s. All must have the same"
                    + " size.",
                name, dataset.size(), form.names().getFirst(), size()));
      }
    }
  }

  /// {@return datasets side by side, whose rows are lists}
  ///
  /// @param datasets at least one, all of one size
  /// @throws IllegalArgumentException if there is none, or the sizes differ
  public static StackDataset<List<Object>> of(MapDataset<?>... datasets) {
    return new StackDataset<>(List.of(datasets), RowForm.list(datasets.length));
  }

  /// {@return datasets side by side, whose rows are maps}
  ///
  /// @param datasets at least one, all of one size; the keys name the parts of a row
  /// @throws IllegalArgumentException if there is none, or the sizes differ
  public static StackDataset<Map<String, Object>> of(
      Map<String, ? extends MapDataset<?>> datasets) {
    return new StackDataset<>(datasets.values(), RowForm.map(datasets.keySet()));
  }

  @Override
  public long size() {
    return datasets.getFirst().size();
  }

  @Override
  public R get(long index) throws IOException {
    Object[] parts = new Object[datasets.size()];
    for (int part = 0; part < parts.length; part++) {
      parts[part] = datasets.get(part).get(index);
    }
    return form.row().apply(parts);
  }

  @Override
  public List<R> getAll(long[] indices) throws IOException {
    List<List<?>> columns = new ArrayList<>(datasets.size());
    for (MapDataset<?> dataset : datasets) {
      columns.add(Rows.getAll(dataset, indices));
    }
    List<R> rows = new ArrayList<>(indices.length);
    for (int row = 0; row < indices.length; row++) {
      Object[] parts = new Object[columns.size()];
      for (int part = 0; part < parts.length; part++) {
        parts[part] = columns.get(part).get(row);
      }
      rows.add(form.row().apply(parts));
    }
    return rows;
  }

  @Override
  public String toString() {
    return "StackDataset of " + size() + " rows " + form.names();
  }
}
