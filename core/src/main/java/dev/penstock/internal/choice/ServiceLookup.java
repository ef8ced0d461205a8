package dev.penstock.internal.choice;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Finds the providers of a service: those beside the service, and those that the context class
/// loader of a thread sees as well, as in a web application, a plugin or a notebook.
///
/// What a context class loader brings is not kept, so that the loader can be unloaded: whoever
/// needs the same instances again holds what [#here()] returns.
///
/// **Threads.** Safe for any.
public final class ServiceLookup<T> {
  private final Class<T> service;
  private final Function<T, List<String>> names;

  @GuardedBy("this")
  private final Map<ClassLoader, WeakReference<Services<T>>> byContext = new WeakHashMap<>();

  @GuardedBy("this")
  private @Nullable Services<T> beside;

  /// Nothing is looked for yet.
  ///
  /// @param names as in [Services#none]
  public ServiceLookup(Class<T> service, Function<T, List<String>> names) {
    this.service = service;
    this.names = names;
  }

  /// Returns the providers that this thread sees.
  public synchronized Services<T> here() {
    Services<T> own = beside;
    if (own == null) {
      own = Services.none(service, names).and(service.getClassLoader());
      beside = own;
    }
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    if (context == null || context.equals(service.getClassLoader())) {
      return own;
    }
    WeakReference<Services<T>> kept = byContext.get(context);
    Services<T> known = kept == null ? null : kept.get();
    if (known == null) {
      known = sees(context) ? own.and(context) : own;
      byContext.put(context, new WeakReference<>(known));
    }
    return known;
  }

  /// Returns whether a class loader has this service, not another copy of Penstock or none.
  private boolean sees(ClassLoader context) {
    try {
      return Class.forName(service.getName(), false, context) == service;
    } catch (ClassNotFoundException | LinkageError _) {
      return false;
    }
  }
}
