package dev.penstock.batch;

import dev.penstock.advice.Advice;
import dev.penstock.advice.AdvisedIOException;
import dev.penstock.advice.Remedy;
import dev.penstock.storage.Printable;

/// A null in a column whose tensor or array has no place for one.
public final class NullValueException extends AdvisedIOException {
  private static final long serialVersionUID = 1L;

  private static final Advice FILL_OR_MASK =
      Advice.of("%s or %s", Remedy.nulls("fill"), Remedy.nulls("mask"));

  private NullValueException(String column, Advice found, Advice remedy, String file, String row) {
    super(
        Advice.of(
                "Cannot batch column '%s': %s has no place for one. Use %s. [%s, %s]",
                column, found, remedy, file, row)
            .withTexts(Printable::of),
        null);
  }

  /// {@return the exception for a value that is null}
  ///
  /// @param column the column
  /// @param row the row, counted from 0 in the file, as `row 3`
  /// @param file the file
  public static NullValueException ofValue(String column, String row, String file) {
    return new NullValueException(
        column, Advice.of("%s is null and its type", row), FILL_OR_MASK, file, row);
  }

  /// {@return the exception for a null that could be delivered but that the policy refuses}
  ///
  /// @param column the column
  /// @param row the row, counted from 0 in the file, as `row 3`
  /// @param file the file
  public static NullValueException ofPolicy(String column, String row, String file) {
    return new NullValueException(
        column,
        Advice.of("%s is null and %s", row, Remedy.nulls("error")),
        Advice.of(
            "%s or %s, which keep it, or %s",
            Remedy.nulls("nan"), Remedy.nulls("mask"), Remedy.nulls("fill")),
        file,
        row);
  }

  /// {@return the exception for an element of a list that is null}
  ///
  /// @param column the column
  /// @param element the element, counted from 0 in the list
  /// @param row the row, counted from 0 in the file, as `row 3`
  /// @param file the file
  public static NullValueException ofElement(String column, long element, String row, String file) {
    return new NullValueException(
        column,
        Advice.of("element %s of %s is null and its type", element, row),
        FILL_OR_MASK,
        file,
        row);
  }

  /// {@return the exception for a list of numbers that is null}
  ///
  /// @param column the column
  /// @param row the row, counted from 0 in the file, as `row 3`
  /// @param file the file
  public static NullValueException ofList(String column, String row, String file) {
    return new NullValueException(
        column,
        Advice.of("%s is null and a tensor of lists", row),
        Advice.of("%s%s", Remedy.nulls("mask"), Remedy.output("MAP").within(", or ", "")),
        file,
        row);
  }

  /// {@return the exception for a null among rows that are Java objects, which the tensor of a
  /// batch cannot hold}
  ///
  /// @param column the column
  /// @param found what is null and what cannot hold it, for example `row 3 is null and its type`
  /// @param file the file
  /// @param row the row, counted from 0 in the file, as `row 3`
  public static NullValueException ofObject(String column, String found, String file, String row) {
    return new NullValueException(
        column,
        Advice.text(found),
        Advice.text("a collator of your own, which is given null"),
        file,
        row);
  }
}
