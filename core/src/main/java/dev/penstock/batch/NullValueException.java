package dev.penstock.batch;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.storage.Printable;
import java.io.IOException;

/// A null in a column whose tensor or array has no place for one.
public final class NullValueException extends IOException {
  private static final long serialVersionUID = 1L;

  private NullValueException(String column, String found, String remedy, String file, String row) {
    super(
        Printable.of(
            Sentence.of(
                "Cannot batch column '%s': %s has no place for one. Use %s. [%s, %s]",
                column, found, remedy, file, row)));
  }

  /// {@return the exception for a value that is null}
  ///
  /// @param column the column
  /// @param row the row, counted from 0 in the file, as `row 3`
  /// @param file the file
  public static NullValueException ofValue(String column, String row, String file) {
    return new NullValueException(
        column, row + " is null and its type", "NullPolicy.fill() or NullPolicy.mask()", file, row);
  }

  /// {@return the exception for a null that could be delivered but that the policy refuses}
  ///
  /// @param column the column
  /// @param row the row, counted from 0 in the file, as `row 3`
  /// @param file the file
  public static NullValueException ofPolicy(String column, String row, String file) {
    return new NullValueException(
        column,
        row + " is null and NullPolicy.error()",
        "NullPolicy.nan() or NullPolicy.mask(), which keep it, or NullPolicy.fill()",
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
        "element " + element + " of " + row + " is null and its type",
        "NullPolicy.fill() or NullPolicy.mask()",
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
        row + " is null and a tensor of lists",
        "NullPolicy.mask(), or OutputFormat.MAP",
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
        column, found, "a collator of your own, which is given null", file, row);
  }
}
