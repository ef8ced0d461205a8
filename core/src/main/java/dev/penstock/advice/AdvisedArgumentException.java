package dev.penstock.advice;

/// An [IllegalArgumentException] that advises.
public final class AdvisedArgumentException extends IllegalArgumentException implements Advised {
  private static final long serialVersionUID = 1;

  private final Advice advice;

  /// Makes the exception.
  ///
  /// @param advice the message
  public AdvisedArgumentException(Advice advice) {
    super(advice.toString());
    this.advice = advice;
  }

  /// Makes the exception.
  ///
  /// @param advice the message
  /// @param cause the cause
  public AdvisedArgumentException(Advice advice, Throwable cause) {
    super(advice.toString(), cause);
    this.advice = advice;
  }

  /// Makes an exception that repeats another's message, as the consumer of a worker gets it.
  ///
  /// @param message the message
  /// @param cause the exception
  public AdvisedArgumentException(String message, Throwable cause) {
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
