package dev.penstock;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Advised;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.workers.TimedOut;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/// Turns a worker's exception into the one that the consumer receives.
final class WorkerErrors {
  private WorkerErrors() {}

  /// Returns the same kind of exception, made on the consumer's thread, with the one that was met
  /// as its direct cause; of an [UncheckedIOException] the cause that it carries. Checked
  /// exceptions, and classes that cannot be instantiated with a message and any cause, become
  /// exceptions that the consumer's methods may throw.
  ///
  /// @param worker the worker's number; negative for the consumer itself
  static Throwable forConsumer(Throwable met, int worker) {
    String message =
        worker < 0
            ? Objects.requireNonNullElse(met.getMessage(), met.toString())
            : Sentence.of(
                "Caught %s in worker %s: %s",
                Advised.type(met).getName(), worker, String.valueOf(met.getMessage()));
    return switch (met) {
      case IOException e -> new UncheckedIOException(message, e);
      case UncheckedIOException e -> { // which has no room for another cause
        UncheckedIOException same = new UncheckedIOException(message, e.getCause());
        same.addSuppressed(e);
        yield same;
      }
      case RuntimeException e -> same(e, message);
      case Error e -> same(e, message);
      default -> new WorkerException(message, met);
    };
  }

  /// Returns the error of a consumer that waited too long.
  static WorkerException timedOut(long epoch, TimedOut cause) {
    return new WorkerException(
        Sentence.of(
            "Cannot wait longer for the next batch of epoch %s: %s. Ask again to wait"
                + " again, or set a longer timeout.",
            epoch, cause.getMessage()),
        cause);
  }

  private static Throwable same(Throwable met, String message) {
    Class<?> type = Advised.type(met); // another one only adds advice: it has no such constructor
    if (!type.equals(met.getClass())) {
      Advice advice = Advice.repeating(message, met);
      return type.equals(IllegalStateException.class)
          ? Advice.stateError("%s", advice).initCause(met)
          : Advice.argumentError("%s", advice).initCause(met);
    }
    try {
      return make(met, new Class<?>[] {String.class, Throwable.class}, message, met);
    } catch (ReflectiveOperationException | RuntimeException _) {
      // The class may have a constructor with only a message.
    }
    try {
      return make(met, new Class<?>[] {String.class}, message).initCause(met);
    } catch (ReflectiveOperationException | RuntimeException _) {
      return new WorkerException(message, met);
    }
  }

  private static Throwable make(Throwable met, Class<?>[] types, Object... arguments)
      throws ReflectiveOperationException {
    return (Throwable) met.getClass().getConstructor(types).newInstance(arguments);
  }
}
