package dev.penstock.internal.memory;

/// Tells a worker to give up what it holds and to begin again when there is room: others need the
/// memory for rows that come before its own. Never leaves the pipeline.
public final class NoRoomException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoRoomException() {
    super("no room", null, false, false);
  }
}
