package dev.penstock.serve;

import dev.penstock.WorkerException;
import dev.penstock.advice.Advice;
import dev.penstock.advice.Advised;
import dev.penstock.format.MemoryLimitException;
import dev.penstock.internal.request.WrongOptionException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/// What a client is told of an exception: its sentence, and what kind of error it is there.
final class Errors {
  private Errors() {}

  static String json(int number, Throwable met) {
    return Json.object(json -> {
      json.writeNumberProperty("number", number);
      json.writeStringProperty("kind", kind(met));
      Json.message(json, advice(met));
      json.writeStringProperty("type", Advised.type(met).getName());
      if (met instanceof WrongOptionException wrong) {
        json.writeStringProperty("option", wrong.option().name());
      }
    });
  }

  private static Advice advice(Throwable met) {
    Advice advice = Advice.of(met);
    return advice.toString().contains("Java heap space")
        ? Advice.of(
            "%s. The heap of the server is used up, by this request or those of others: ask for"
                + " less at once, or start the server with more heap (-Xmx).",
            advice)
        : advice;
  }

  private static boolean isOutOfMemory(Throwable met) {
    return met instanceof OutOfMemoryError
        || (met.getCause() != null && !met.getCause().equals(met) && isOutOfMemory(met.getCause()));
  }

  private static String kind(Throwable met) {
    return switch (met) {
      case Throwable e when isOutOfMemory(e) -> "memory";
      case WorkerException e when e.isTimeout() -> "timeout";
      case WorkerException e -> kind(Objects.requireNonNull(e.getCause()));
      case MemoryLimitException _ -> "memory";
      case UncheckedIOException e -> kind(Objects.requireNonNull(e.getCause()));
      case IOException _ -> "io";
      case IllegalArgumentException _ -> "value";
      case SecurityException _ -> "permission";
      default -> "state";
    };
  }
}
