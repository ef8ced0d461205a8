package dev.penstock.advice;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// An [IOException] that advises.
public class AdvisedIOException extends IOException implements Advised {
  private static final long serialVersionUID = 1;

  private final Advice advice;

  /// Makes the exception.
  ///
  /// @param advice the message
  /// @param cause the cause; null if it is set later, or there is none
  @SuppressWarnings("this-escape") // the cause is only kept
  public AdvisedIOException(Advice advice, @Nullable Throwable cause) {
    super(advice.toString());
    this.advice = advice;
    if (cause != null) {
      super.initCause(cause);
    }
  }

  @Override
  public final Advice advice() {
    return advice;
  }

  @Override
  @SuppressWarnings("OverrideThrowableToString") // users know the class above it
  public final String toString() {
    return Advised.type(this).getName() + ": " + getMessage();
  }
}
