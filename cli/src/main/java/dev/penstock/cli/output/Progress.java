package dev.penstock.cli.output;

import java.util.function.Supplier;

/// Shows the progress of a command on standard error: an updating bar on a terminal, a plain line
/// every few seconds elsewhere.
public final class Progress implements AutoCloseable {
  private static final long LIVE_NANOS = 100_000_000L;
  private static final long PLAIN_NANOS = 5_000_000_000L;

  private final Terminal terminal;
  private final boolean on;
  private final long every;
  private final long start = System.nanoTime();
  private long next;
  private final SpeedGraph graph = new SpeedGraph();

  /// Starts to show the progress of a command, if it is `on`.
  public Progress(Terminal terminal, boolean on) {
    this.terminal = terminal;
    this.on = on;
    this.every = terminal.isLive() ? LIVE_NANOS : PLAIN_NANOS;
    this.next = start + every;
  }

  /// Shows a step if it is time for one; it is made only then.
  public void update(Supplier<Step> step) {
    long now = System.nanoTime();
    if (!on || now - next < 0) {
      return;
    }
    next = now + every;
    if (terminal.isLive()) {
      Step shows = step.get();
      graph.add(shows.done() - shows.before(), shows.nanos());
      terminal.live(shows.with(graph).bar(terminal.liveColumns(), now - start));
    } else {
      terminal.say(step.get().line(now - start));
    }
  }

  /// Clears the line, so that the following output starts on a clean line.
  public void clear() {
    terminal.live("");
  }

  /// Shows a line that is no progress, whether progress is shown or not.
  public void say(String line) {
    terminal.say(line);
  }

  /// Shows a last line, if progress is shown.
  public void end(String line) {
    clear();
    if (on) {
      terminal.say(line);
    }
  }

  @Override
  public void close() {
    clear();
  }
}
