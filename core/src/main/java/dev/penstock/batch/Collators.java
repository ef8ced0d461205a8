package dev.penstock.batch;

/// Collators that make a [Batch] from rows that are Java objects.
///
/// {@snippet lang=java :
/// record Sample(float[] features, List<Integer> tokens, String id) {}
/// Collator<Sample, Batch> collator = Collators.<Sample>standard().pad("tokens", 0, "tokens_length");
/// }
public final class Collators {
  private Collators() {}

  /// {@return the collator that follows torch's `default_collate`; [StandardCollator] has the
  /// rules, and the choices for single columns}
  ///
  /// @param <T> what a row is
  public static <T> StandardCollator<T> standard() {
    return StandardCollator.standard();
  }

  /// {@return the standard collator, but with all lists and arrays of numbers padded to the longest
  /// of the batch, as tensors of shape `[rows, longest]`} This includes rows that are such lists
  /// themselves, which become the column "value". Single columns can have another choice.
  ///
  /// @param <T> what a row is
  /// @param value the padding after shorter lists; must fit the columns' types
  public static <T> StandardCollator<T> pad(Number value) {
    return StandardCollator.sequences(new SequenceForm.Padded(value, null));
  }

  /// {@return the standard collator, but with all lists and arrays of numbers as [RaggedTensor]s}
  /// This includes rows that are such lists themselves, which become the column "value". Single
  /// columns can have another choice.
  ///
  /// @param <T> what a row is
  public static <T> StandardCollator<T> ragged() {
    return StandardCollator.sequences(new SequenceForm.Ragged());
  }
}
