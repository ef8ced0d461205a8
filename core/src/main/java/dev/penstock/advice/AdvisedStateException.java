package dev.penstock.advice;

/// An [IllegalStateException] that advises.
final class AdvisedStateException extends IllegalStateException implements Advised {
  private static final long serialVersionUID = 1;

  private final Advice advice;

  AdvisedStateException(Advice advice) {
    super(advice.toString());
    this.advice = advice;
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
