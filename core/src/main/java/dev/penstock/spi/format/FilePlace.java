package dev.penstock.spi.format;

import dev.penstock.advice.Advice;
import dev.penstock.format.MalformedFileException;
import dev.penstock.storage.Location;
import org.jspecify.annotations.Nullable;

/// A place in a file, for error messages.
///
/// @param location the file
/// @param text more of the place, for example `record batch 3`
public record FilePlace(Location location, String text) {
  /// {@return a place within this one}
  ///
  /// @param more the text to add
  public FilePlace and(String more) {
    return new FilePlace(location, text + ", " + more);
  }

  /// {@return an error at this place, where no single byte is at fault, to be thrown}
  ///
  /// @param sentence what was found, what was expected and what to do
  public MalformedFileException fail(String sentence) {
    return fail(sentence, null);
  }

  /// {@return an error at this place, where no single byte is at fault, to be thrown}
  ///
  /// @param sentence what was found, what was expected and what to do
  /// @param cause the library's exception
  public MalformedFileException fail(String sentence, @Nullable Throwable cause) {
    return fail(-1, sentence, cause);
  }

  /// {@return an error at this place, to be thrown}
  ///
  /// @param offset bytes from the start of the file, or -1 where no single byte is at fault
  /// @param sentence what was found, what was expected and what to do
  public MalformedFileException fail(long offset, String sentence) {
    return fail(offset, sentence, null);
  }

  /// {@return an error at this place, to be thrown}
  ///
  /// @param offset bytes from the start of the file, or -1 where no single byte is at fault
  /// @param sentence what was found, what was expected and what to do
  /// @param cause the library's exception
  public MalformedFileException fail(long offset, Advice sentence, @Nullable Throwable cause) {
    return new MalformedFileException(location, offset, text, sentence, cause);
  }

  /// {@return an error at this place, to be thrown}
  ///
  /// @param offset bytes from the start of the file, or -1 where no single byte is at fault
  /// @param sentence what was found, what was expected and what to do
  /// @param cause the library's exception
  public MalformedFileException fail(long offset, String sentence, @Nullable Throwable cause) {
    return new MalformedFileException(location, offset, text, sentence, cause);
  }
}
