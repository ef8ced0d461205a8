package dev.penstock.internal.workers;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What belongs to one worker during one epoch: what tells it from the others, and what users' code
/// opened there. Scopes may be nested; the innermost that has a thing gives it.
///
/// **Threads.** Used by the worker's thread alone.
public final class WorkerScope implements AutoCloseable {
  /// What users' code may ask for.
  public enum Asked {
    /// Which worker it runs in.
    WORKER,
    /// The dataset of the worker.
    DATASET
  }

  private static final ScopedValue<WorkerScope> CURRENT = ScopedValue.newInstance();

  private final Map<Class<?>, Object> own;
  private final SequencedMap<Object, AutoCloseable> opened = new LinkedHashMap<>();
  private final Set<Asked> asked = EnumSet.noneOf(Asked.class);
  private Optional<WorkerScope> outer = Optional.empty();

  /// Makes a scope.
  ///
  /// @param own what [#own] gives for a class
  public WorkerScope(Map<Class<?>, Object> own) {
    this.own = own;
  }

  public static Optional<WorkerScope> current() {
    return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
  }

  /// Runs work within this.
  public <R extends @Nullable Object, X extends Throwable> R call(
      ScopedValue.CallableOp<? extends R, X> work) throws X {
    outer = current();
    return ScopedValue.where(CURRENT, this).call(work);
  }

  /// Returns what the calling worker has of a class, and notes the question.
  public static <T> Optional<T> own(Class<T> kind) {
    note(Asked.WORKER);
    Optional<WorkerScope> scope = current();
    while (scope.isPresent() && !scope.get().own.containsKey(kind)) {
      scope = scope.get().outer;
    }
    return scope.map(found -> kind.cast(Objects.requireNonNull(found.own.get(kind))));
  }

  /// Notes a question, also in the scopes around.
  public static void note(Asked what) {
    Optional<WorkerScope> scope = current();
    while (scope.isPresent()) {
      scope.get().asked.add(what);
      scope = scope.get().outer;
    }
  }

  /// Returns whether something was asked for since [#forget()].
  public boolean wasAsked(Asked what) {
    return asked.contains(what);
  }

  public void forget() {
    asked.clear();
  }

  /// Returns what was opened here under a key; opens it at the first call.
  @SuppressWarnings("unchecked") // a key opens one kind of object
  public <H extends AutoCloseable, X extends Throwable> H opened(
      Object key, ScopedValue.CallableOp<H, X> opener) throws X {
    AutoCloseable known = opened.get(key);
    if (known == null) {
      known = opener.call();
      opened.put(key, known);
    }
    return (H) known;
  }

  /// Closes what was opened here, the last first. What fails is logged.
  @Override
  public void close() {
    for (AutoCloseable each : opened.sequencedValues().reversed()) {
      try {
        each.close();
      } catch (Throwable e) { // users' code; the worker has to continue with its next epoch
        UserCode.warn(WorkerScope.class, "Cannot close what a worker opened", e);
      }
    }
    opened.clear();
  }
}
