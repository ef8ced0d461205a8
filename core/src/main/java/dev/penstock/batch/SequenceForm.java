package dev.penstock.batch;

import org.jspecify.annotations.Nullable;

/// The form of a column that is not collated by torch's rules.
sealed interface SequenceForm {
  /// Lists of numbers become a tensor as wide as the longest.
  ///
  /// @param value the padding after shorter lists
  /// @param lengths the name of the column of lengths; null for none
  record Padded(Number value, @Nullable String lengths) implements SequenceForm {}

  /// Lists of numbers become a [RaggedTensor].
  record Ragged() implements SequenceForm {}

  /// Values of any kind stay as they are, in a list.
  record Listed() implements SequenceForm {}
}
