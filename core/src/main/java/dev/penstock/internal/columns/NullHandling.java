package dev.penstock.internal.columns;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.batch.DType;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.StringEncoding;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import java.util.Optional;

/// What happens to the nulls of a column: its [NullPolicy], decided for the form and type that the
/// column has in a batch.
///
/// [BatchLayout] decides it here once, when it plans the column, and [ColumnPlan] carries it. Each
/// form of column allows only some of the records; it has an interface for these, and the code that
/// copies values `switch`es over it.
///
/// | Policy | [InTensor] | a matrix | [InLists] | [InObjects] | [InVector] |
/// |---|---|---|---|---|---|
/// | `nan()` | Replace in floats, else Refuse | Replace | Refuse; Keep in arrays | Keep | Keep |
/// | `fill(number)` | Replace | Replace | Refuse; Keep in arrays | Keep | Keep |
/// | `fill("text")` | Replace by a code, else refused | refused | as above | ReplaceText | Keep |
/// | `mask()` | Mask | Replace by NaN | Mask | Keep | Keep |
/// | `error()` | Refuse | Refuse | Refuse | Refuse | Refuse |
public sealed interface NullHandling {
  /// For the elements of a tensor, of lists of numbers, or of a column of a matrix.
  sealed interface InTensor extends NullHandling permits Refuse, Replace, Mask {}

  /// For lists of numbers, where the list itself is null.
  sealed interface InLists extends NullHandling permits Refuse, Keep, Mask {}

  sealed interface InObjects extends NullHandling permits Refuse, Keep, ReplaceText {}

  sealed interface InVector extends NullHandling permits Refuse, Keep {}

  /// A null is an error that names column, file and row.
  record Refuse() implements InTensor, InLists, InObjects, InVector {}

  /// A number replaces a null: the lowest bits of the element.
  record Replace(long bits) implements InTensor {}

  /// Zero or an empty list replaces a null, and a mask beside the column marks it.
  record Mask() implements InTensor, InLists {}

  record Keep() implements InLists, InObjects, InVector {}

  record ReplaceText(String text) implements InObjects {}

  default boolean isMasked() {
    return switch (this) {
      case Mask _ -> true;
      case Refuse _, Replace _, Keep _, ReplaceText _ -> false;
    };
  }

  /// Decides for values other than encoded strings that become the elements of a tensor.
  static InTensor inTensor(NullPolicy policy, Field elements, DType dtype) {
    return inTensor(policy, elements, dtype, StringEncoding.list());
  }

  /// Decides for values that become the elements of a tensor.
  ///
  /// @param elements the elements as a column: its name, its type, and whether it has nulls
  /// @throws IllegalArgumentException if there may be nulls, and their replacement does not fit
  static InTensor inTensor(
      NullPolicy policy, Field elements, DType dtype, StringEncoding encoding) {
    boolean nullable = elements.nullable();
    return switch (policy) {
      case NullPolicy.NaN _ ->
          dtype.isFloating()
              ? new Replace(NullFill.bits(elements, dtype, Double.NaN))
              : new Refuse();
      case NullPolicy.Fill(Number value) ->
          nullable ? new Replace(NullFill.bits(elements, dtype, value)) : new Refuse();
      case NullPolicy.FillText(String text) ->
          nullable ? new Replace(NullFill.code(elements, text, encoding)) : new Refuse();
      case NullPolicy.Mask _ -> nullable ? new Mask() : new Replace(0);
      case NullPolicy.Reject _ -> new Refuse();
    };
  }

  /// Decides for a column of a feature matrix, where numbers of any type become `FLOAT32`: never
  /// [Mask].
  ///
  /// @throws IllegalArgumentException if there may be nulls, and their replacement does not fit
  static InTensor inMatrix(NullPolicy policy, Field column) {
    Field floats = new Field(column.name(), new DataType.Floating(32), column.nullable());
    return switch (policy) {
      case NullPolicy.Mask _ -> inTensor(NullPolicy.nan(), floats, DType.FLOAT32);
      // Files may have nulls although they declare none: a matrix uses the number then.
      case NullPolicy.Fill(Number value) when !column.nullable() ->
          new Replace(Float.floatToRawIntBits(value.floatValue()));
      case NullPolicy.NaN _, NullPolicy.Fill _, NullPolicy.FillText _, NullPolicy.Reject _ ->
          inTensor(policy, floats, DType.FLOAT32);
    };
  }

  /// Decides for lists of numbers; their elements are decided separately.
  ///
  /// @param inArrays whether each list becomes an array, which can be null
  static InLists inLists(NullPolicy policy, Field column, boolean inArrays) {
    if (!column.nullable()) {
      return new Refuse();
    }
    return switch (policy) {
      case NullPolicy.Mask _ -> new Mask();
      case NullPolicy.NaN _, NullPolicy.Fill _, NullPolicy.FillText _ ->
          inArrays ? new Keep() : new Refuse();
      case NullPolicy.Reject _ -> new Refuse();
    };
  }

  /// Decides for a column of Java objects; `takesText` says whether a text may replace a null.
  static InObjects inObjects(NullPolicy policy, boolean takesText) {
    return switch (policy) {
      case NullPolicy.FillText(String text) -> takesText ? new ReplaceText(text) : new Keep();
      case NullPolicy.NaN _, NullPolicy.Fill _, NullPolicy.Mask _ -> new Keep();
      case NullPolicy.Reject _ -> new Refuse();
    };
  }

  static InVector inVector(NullPolicy policy) {
    return switch (policy) {
      case NullPolicy.NaN _, NullPolicy.Fill _, NullPolicy.FillText _, NullPolicy.Mask _ ->
          new Keep();
      case NullPolicy.Reject _ -> new Refuse();
    };
  }

  /// Rejects a policy that was requested by name for a column of Java objects but has no effect
  /// there.
  ///
  /// @throws IllegalArgumentException if the policy does not fit
  static void requireFitsObjects(NullPolicy policy, Field column) {
    boolean takesText = column.type() instanceof DataType.Utf8;
    boolean fits =
        switch (policy) {
          case NullPolicy.NaN _, NullPolicy.Reject _ -> true;
          case NullPolicy.FillText _ -> takesText;
          case NullPolicy.Fill _, NullPolicy.Mask _ -> false;
        };
    if (!fits) {
      throw Advice.argumentError(
          "Cannot treat nulls of column '%s' by '%s': columns of type %s are"
              + " delivered as lists, in which nulls are null. Use %s%s",
          column.name(),
          policy,
          column.type(),
          Remedy.nulls("error"),
          takesText
              ? Advice.of(
                  " or a text, as in %s.",
                  Remedy.of("nulls", "fill:VALUE", "NullPolicy.fill(\"\")"))
              : ", or leave it out.");
    }
  }

  /// Returns the text that a policy replaces nulls with, if any: a vocabulary has to contain it.
  static Optional<String> replacementText(NullPolicy policy) {
    return switch (policy) {
      case NullPolicy.FillText(String text) -> Optional.of(text);
      case NullPolicy.NaN _, NullPolicy.Fill _, NullPolicy.Mask _, NullPolicy.Reject _ ->
          Optional.empty();
    };
  }
}
