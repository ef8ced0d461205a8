package dev.penstock.internal.choice;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/// Which library is to blame for a [LinkageError]: one that is absent, or of another version than
/// core was built with, because another jar is in front of it on the class path.
public final class Libraries {
  private Libraries() {}

  /// Returns what is wrong and what to do, if the cause is a library that core uses.
  public static Optional<String> blamed(Throwable cause) {
    if (!(cause instanceof LinkageError)) {
      return Optional.empty();
    }
    Properties builtWith = builtWith();
    for (Throwable each = cause; each != null; each = each.getCause()) {
      String message = String.valueOf(each.getMessage()).replace('/', '.');
      for (String name : builtWith.stringPropertyNames()) {
        if (message.contains(name.substring(0, name.lastIndexOf('.') + 1))) {
          String found = each.getClass().getSimpleName() + ": " + each.getMessage();
          return blamed(name, builtWith.getProperty(name), found);
        }
      }
    }
    return Optional.empty();
  }

  private static Properties builtWith() {
    Properties libraries = new Properties();
    try (InputStream list = Libraries.class.getResourceAsStream("libraries.properties")) {
      libraries.load(Objects.requireNonNull(list));
      return libraries;
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private static Optional<String> blamed(String name, String library, String found) {
    String artifact = library.substring(0, library.indexOf(' '));
    String wanted = library.substring(artifact.length() + 1);
    Class<?> loaded;
    try {
      loaded = Class.forName(name, false, Libraries.class.getClassLoader());
    } catch (ClassNotFoundException _) {
      return Optional.of(
          Sentence.of("Cannot find %s (%s). Add %s to the class path.", artifact, found, library));
    }
    String version = loaded.getPackage().getImplementationVersion();
    boolean isOurs = jar(loaded).equals(jar(Libraries.class)); // all in one
    return isOurs || wanted.equals(version)
        ? Optional.empty()
        : Optional.of(
            Sentence.of(
                "Cannot use the %s in %s: it is %s but expected %s (%s). Put %s before it on the class"
                    + " path, or in its place.",
                artifact,
                jar(loaded),
                version == null ? "another version" : version,
                wanted,
                found,
                library));
  }

  private static String jar(Class<?> loaded) {
    @Nullable CodeSource source = loaded.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      return "an unknown jar";
    }
    URI location = URI.create(source.getLocation().toString());
    return location.getScheme().equals("file") ? Path.of(location).toString() : location.toString();
  }
}
