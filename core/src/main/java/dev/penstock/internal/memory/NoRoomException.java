package dev.penstock.internal.memory;

/// Tells a worker to give up what it holds and to begin again when there is room: others need the
/// memory for rows that come before its own, or it is too much for this worker alone. Never leaves
/// the pipeline.
public final class NoRoomException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isAlone;

  NoRoomException(boolean isAlone) {
    super("no room", null, false, false);
    this.isAlone = isAlone;
  }

  /// Returns whether it is not for others: nobody else holds memory that would be enough.
  ///
  /// @return true where the worker can only hold less itself
  public boolean isAlone() {
    return isAlone;
  }
}
