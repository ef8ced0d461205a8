package dev.penstock.transform;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// A list of ready transforms, applied one after another; itself a [Transform]. Immutable.
///
/// [#of] combines ready transforms; [#fit] fits transforms in one pass over a dataset. To apply the
/// same numbers to other data, save them with [#toJson()].
///
/// **Threads.** Safe for any.
///
/// @param transforms the transforms, in order
public record Preprocessing(List<ColumnTransform> transforms) implements Transform {
  /// The context of rows that no loader reads.
  static final TransformContext NOWHERE = new TransformContext(Optional.empty(), 0, 0, 0, 0, 1);

  /// Copies the list.
  public Preprocessing {
    transforms = List.copyOf(transforms);
  }

  /// {@return some transforms as one}
  ///
  /// @param transforms the transforms, in order
  public static Preprocessing of(ColumnTransform... transforms) {
    return new Preprocessing(List.of(transforms));
  }

  /// {@return transforms whose numbers are found in one pass over the rows: one for each column, in
  /// the order of the fits}
  ///
  /// **Order.** The result depends only on the files and the filter; it is bit for bit the same
  /// with any number of workers, batch size and splits.
  ///
  /// @param rows the rows: a dataset
  /// @param fits what to fit; each column at most once
  /// @throws IllegalArgumentException if a column does not exist, has an unsuitable type, has no
  ///   values, or has an infinity or too many categories
  /// @throws java.io.UncheckedIOException if the files cannot be read
  public static Preprocessing fit(BlockSource rows, Fit... fits) {
    return of().fitNext(rows, fits);
  }

  /// {@return these transforms, then others whose numbers are found in one pass over the rows as
  /// these leave them}
  ///
  /// @param rows the rows as [#fit] takes them, before these transforms
  /// @param fits what to fit; each column at most once
  /// @throws IllegalArgumentException as for [#fit]
  /// @throws java.io.UncheckedIOException if the files cannot be read
  public Preprocessing fitNext(BlockSource rows, Fit... fits) {
    return next(Fitting.fit(rows, this, List.of(fits)).toArray(ColumnTransform[]::new));
  }

  /// {@return these transforms followed by others}
  ///
  /// @param more the others, in order
  public Preprocessing next(ColumnTransform... more) {
    List<ColumnTransform> all = new ArrayList<>(transforms);
    all.addAll(List.of(more));
    return new Preprocessing(all);
  }

  /// {@return the names of the columns that these transforms produce, for example for
  /// `LoaderOptions.features`: each once, in the order of the transforms}
  public List<String> outputs() {
    List<String> outputs = new ArrayList<>();
    for (ColumnTransform transform : transforms) {
      int place = outputs.indexOf(transform.column());
      if (place >= 0) {
        outputs.remove(place);
      }
      outputs.addAll(place >= 0 ? place : outputs.size(), transform.outputs());
    }
    return outputs.stream().distinct().toList();
  }

  @Override
  public ColumnBlock apply(ColumnBlock block, TransformContext context) {
    ColumnBlock changed = block;
    for (ColumnTransform transform : transforms) {
      changed = transform.apply(changed, context);
    }
    return changed;
  }

  /// {@return the transforms as one line of JSON, which [#fromJson] reads:
  /// `{"format":"penstock-preprocessing","version":1,"transforms":[...]}`} Every number comes back
  /// with the same bits.
  public String toJson() {
    return PreprocessingJson.write(transforms);
  }

  /// {@return the transforms that [#toJson()] wrote}
  ///
  /// @param json the text
  /// @throws IllegalArgumentException if the text is not JSON, is of another version, has fields
  ///   missing or unknown, or numbers that a transform does not accept
  public static Preprocessing fromJson(String json) {
    return new Preprocessing(PreprocessingJson.read(json));
  }

  /// Returns the transforms, one per line.
  @Override
  public String toString() {
    return transforms.stream().map(ColumnTransform::toString).collect(Collectors.joining("\n"));
  }
}
