package dev.penstock.advice;

/// An [IllegalStateException] that advises.
public final class AdvisedStateException extends IllegalStateException implements Advised {
  private static final long serialVersionUID = 1;

  private final Advice advice;

  /// Makes the exception.
  ///
  /// @param advice the message
  public AdvisedStateException(Advice advice) {
    super(advice.toString());
    this.advice = advice;
  }

  /// Makes the exception.
  ///
  /// @param advice the message
  /// @param cause the cause
  public AdvisedStateException(Advice advice, Throwable cause) {
    super(advice.toString(), cause);
    this.advice = advice;
  }

  /// Makes an exception that repeats another's message, as the consumer of a worker gets it.
  ///
  /// @param message the message
  /// @param cause the exception
  public AdvisedStateException(String message, Throwable cause) {
    this(Advice.repeating(message, cause), cause);
  }

  @Override
  public Advice advice() {
    return advice;
  }

  @Override
  @SuppressWarnings("OverrideThrowableToString") // users know the class above it
  public String toString() {
    return Advised.type(this).getName() + ": " + getMessage();
  }
}
