package dev.penstock.internal.request;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Advised;
import java.util.Objects;

/// The error for a wrong value of an option. The message is a complete sentence of the library,
/// which may spell the option as Java does: doors show [#option()] as they spell it.
public final class WrongOptionException extends IllegalArgumentException implements Advised {
  private static final long serialVersionUID = 1;

  private final transient Option<?, ?> option;

  WrongOptionException(Option<?, ?> option, IllegalArgumentException cause) {
    super(cause.getMessage(), cause);
    this.option = option;
  }

  public Option<?, ?> option() {
    return option;
  }

  @Override
  public Advice advice() {
    return Advice.of(Objects.requireNonNull(getCause()));
  }
}
