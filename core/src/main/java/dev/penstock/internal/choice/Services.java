package dev.penstock.internal.choice;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The providers of a service on the class or module path.
///
/// A broken one harms only itself: it is left out with a warning, and errors about something that
/// it might have done end with [#leftOut()].
///
/// @param all those that can be used, Penstock's own first
/// @param broken the others, each with the reason
public record Services<T>(List<T> all, List<String> broken) {
  private static final Logger LOG = LoggerFactory.getLogger(Services.class);

  /// What the names of Penstock's own classes begin with.
  public static final String OURS = "dev.penstock.";

  /// Where the lookup itself fails, it may do so for ever.
  private static final int FAILURES_MAX = 100;

  public Services {
    all = List.copyOf(all);
    broken = List.copyOf(broken);
  }

  /// Finds the providers beside the service. `names` returns the names of a provider, each of which
  /// only one may have; it throws if the provider cannot be used.
  public static <T> Services<T> load(Class<T> service, Function<T, List<String>> names) {
    return load(service, service.getClassLoader(), names);
  }

  static <T> Services<T> load(
      Class<T> service, @Nullable ClassLoader loader, Function<T, List<String>> names) {
    List<T> found = new ArrayList<>();
    List<String> broken = new ArrayList<>();
    Iterator<T> providers = ServiceLoader.load(service, loader).iterator();
    while (broken.size() < FAILURES_MAX) {
      try {
        if (!providers.hasNext()) {
          break;
        }
        found.add(providers.next());
      } catch (ServiceConfigurationError e) {
        broken.add(warned(service, String.valueOf(e.getMessage()), e.getCause()));
      } catch (LinkageError e) {
        broken.add(warned(service, "a provider", e));
      }
    }
    found.sort(Comparator.comparing(provider -> !provider.getClass().getName().startsWith(OURS)));
    Map<String, T> named = new HashMap<>();
    List<T> all = new ArrayList<>();
    for (T provider : found) {
      try {
        List<String> own = names.apply(provider);
        for (String name : own) {
          T other = named.get(name);
          if (other != null) {
            throw new IllegalArgumentException(
                "'" + name + "' is taken by " + other.getClass().getName());
          }
        }
        own.forEach(name -> named.put(name, provider));
        all.add(provider);
      } catch (RuntimeException | LinkageError e) {
        broken.add(warned(service, provider.getClass().getName(), e));
      }
    }
    return new Services<>(all, broken);
  }

  private static String warned(Class<?> service, String what, @Nullable Throwable reason) {
    String text = reason == null ? what : what + ": " + reason;
    LOG.warn("Left out a {}, which cannot be used: {}", service.getSimpleName(), text, reason);
    return text;
  }

  /// Throws [IllegalArgumentException] if a value that a provider gives is null.
  public static <V> V given(@Nullable V value, String what) {
    if (value == null) {
      throw new IllegalArgumentException(what + " must not be null");
    }
    return value;
  }

  /// Returns the end of an error about something that none of the providers does: a sentence after
  /// a blank, which names those that were left out; empty if none was.
  public String leftOut() {
    return broken.isEmpty()
        ? ""
        : " Left out, because they cannot be used: " + String.join("; ", broken) + ".";
  }
}
