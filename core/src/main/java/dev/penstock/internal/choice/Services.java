package dev.penstock.internal.choice;

import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Some providers of a service.
///
/// A broken one harms only itself: it is left out with a warning, and errors about something that
/// it might have done end with [#leftOut()]. Two classes for one name are an error where that name
/// is used, see [#named].
///
/// Immutable.
public final class Services<T> {
  private static final Logger LOG = LoggerFactory.getLogger(Services.class);

  /// What the names of Penstock's own classes begin with.
  public static final String OURS = "dev.penstock.";

  /// Where the lookup itself fails, it may do so for ever.
  private static final int FAILURES_MAX = 100;

  private final Class<T> service;
  private final Function<T, List<String>> names;
  private final List<T> all;
  private final Map<String, List<T>> byName = new HashMap<>();
  private final List<String> broken;

  private Services(
      Class<T> service, Function<T, List<String>> names, List<T> all, List<String> broken) {
    this.service = service;
    this.names = names;
    this.all = List.copyOf(all);
    this.broken = List.copyOf(broken);
    for (T each : all) {
      for (String name : Set.copyOf(names.apply(each))) {
        byName.computeIfAbsent(name, _ -> new ArrayList<>()).add(each);
      }
    }
  }

  /// Returns no providers. `names` returns the names of a provider; it throws if the provider
  /// cannot be used.
  public static <T> Services<T> none(Class<T> service, Function<T, List<String>> names) {
    return new Services<>(service, names, List.of(), List.of());
  }

  /// Returns these, and what else a class loader sees, Penstock's own before others.
  Services<T> and(@Nullable ClassLoader loader) {
    Set<String> known = all.stream().map(Services::described).collect(Collectors.toSet());
    List<T> more = new ArrayList<>();
    Set<String> leftOut = new LinkedHashSet<>(broken);
    Iterator<T> providers = ServiceLoader.load(service, loader).iterator();
    for (int failures = 0; failures < FAILURES_MAX; ) {
      try {
        if (!providers.hasNext()) {
          break;
        }
        T provider = providers.next();
        if (isUsable(provider, leftOut) && known.add(described(provider))) {
          more.add(provider);
        }
      } catch (ServiceConfigurationError e) {
        failures++;
        warn(leftOut, String.valueOf(e.getMessage()), e.getCause());
      } catch (LinkageError e) {
        failures++;
        warn(leftOut, "a provider", e);
      }
    }
    if (more.isEmpty() && leftOut.size() == broken.size()) {
      return this;
    }
    more.sort(Comparator.comparing(provider -> !provider.getClass().getName().startsWith(OURS)));
    more.addAll(0, all);
    return new Services<>(service, names, more, List.copyOf(leftOut));
  }

  private boolean isUsable(T provider, Set<String> leftOut) {
    try {
      List<String> _ = names.apply(provider);
      return true;
    } catch (RuntimeException | LinkageError e) {
      warn(leftOut, provider.getClass().getName(), e);
      return false;
    }
  }

  private void warn(Set<String> leftOut, String what, @Nullable Throwable reason) {
    String text = reason == null ? what : what + ": " + reason;
    if (leftOut.add(text)) {
      LOG.warn("Left out a {}, which cannot be used: {}", service.getSimpleName(), text, reason);
    }
  }

  /// Returns these and a provider that the user made, before all others and in place of those of
  /// its class.
  ///
  /// @throws IllegalArgumentException if it cannot be used, or another class has one of its names
  public Services<T> with(T given) {
    List<T> changed = new ArrayList<>(List.of(given));
    all.stream().filter(each -> !described(each).equals(described(given))).forEach(changed::add);
    List<String> own;
    try {
      own = names.apply(given);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          Sentence.of("Cannot use %s: %s.", described(given), e.getMessage()), e);
    }
    Services<T> result = new Services<>(service, names, changed, broken);
    own.forEach(result::named);
    return result;
  }

  /// Returns all those that can be used.
  public List<T> all() {
    return all;
  }

  /// Returns the provider of a name, if there is one.
  ///
  /// @throws IllegalArgumentException if there are two
  public Optional<T> named(String name) {
    List<T> found = byName.getOrDefault(name, List.of());
    if (found.size() > 1) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot use %s '%s': it is provided by %s. Keep one of them, or give them different"
                  + " names.",
              service.getSimpleName(),
              name,
              found.stream().map(Services::described).collect(Collectors.joining(" and by "))));
    }
    return found.stream().findFirst();
  }

  /// Returns what tells classes apart: their names, and where they come from as far as it is known.
  private static String described(Object provider) {
    Class<?> type = provider.getClass();
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source == null || source.getLocation() == null
        ? type.getName()
        : type.getName() + " in " + source.getLocation();
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
