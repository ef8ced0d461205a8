package dev.penstock.internal.checked;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.choice.Services;
import dev.penstock.storage.Location;
import dev.penstock.storage.Printable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a class of somebody else has agreed to by implementing an interface, and the error if it
/// does not keep to it.
///
/// @param use what it is used for, for example `format 'csv'`
/// @param type the name of the class
/// @param file the file or folder that it was asked about
record Contract(String use, String type, Location file) {
  interface Call<T> {
    @Nullable T get() throws IOException;
  }

  static boolean isOurs(Object extension) {
    return extension.getClass().getName().startsWith(Services.OURS);
  }

  Contract of(Object other) {
    return new Contract(use, other.getClass().getName(), file);
  }

  Contract at(Location other) {
    return new Contract(use, type, other);
  }

  /// Returns the error of a broken rule.
  ///
  /// @param place more of the place, for example `column 'x', row 17`; may be empty
  /// @param what what the class did, and what was expected, after its name
  IllegalStateException broken(String place, String what) {
    return new IllegalStateException(sentence(place, what));
  }

  private String sentence(String place, String what) {
    return Printable.of(
        Sentence.of(
            "Cannot use %s: %s %s. Correct the class. [%s%s]",
            use, type, what, file, place.isEmpty() ? "" : ", " + place));
  }

  /// Throws if a method returned null.
  <T> T given(@Nullable T value, String method) {
    if (value == null) {
      throw broken("", "returned null from " + method);
    }
    return value;
  }

  /// Throws if a method returned a list that is null or has a null.
  <T> List<T> allGiven(@Nullable List<T> values, String method) {
    List<T> list = given(values, method);
    for (T value : list) {
      if (value == null) {
        throw broken("", "returned a list with null from " + method);
      }
    }
    return list;
  }

  /// Calls a method, whose exceptions have to name the file.
  <T> T call(String method, Call<T> call) throws IOException {
    try {
      return given(call.get(), method);
    } catch (IOException e) {
      throw named(e, method);
    } catch (RuntimeException e) {
      throw named(e, method);
    }
  }

  /// Returns an exception of a method that names the class and the file; the same one if it names
  /// the file or says that the thread was interrupted.
  IOException named(IOException met, String method) {
    boolean isInterrupted =
        met instanceof InterruptedIOException || met instanceof ClosedByInterruptException;
    return isInterrupted || names(met)
        ? met
        : new IOException(
            Printable.of(
                Sentence.of(
                    "Cannot use %s: %s threw %s from %s. [%s]", use, type, met, method, file)),
            met);
  }

  RuntimeException named(RuntimeException met, String method) {
    return names(met)
        ? met
        : new IllegalStateException(sentence("", "threw " + met + " from " + method), met);
  }

  private boolean names(Exception met) {
    return met.getMessage() != null && met.getMessage().contains(file.toString());
  }
}
