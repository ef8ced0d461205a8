package dev.penstock.internal.memory;

/// Tells a worker to give up its memory and to start again when there is room: others need it for
/// earlier rows, or this worker alone needs too much. Never leaves the pipeline.
public final class NoRoomException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isAlone;

  NoRoomException(boolean isAlone) {
    super("no room", null, false, false);
    this.isAlone = isAlone;
  }

  /// Returns whether giving up memory cannot help, as the others do not hold enough: the worker
  /// itself has to take less.
  public boolean isAlone() {
    return isAlone;
  }
}
