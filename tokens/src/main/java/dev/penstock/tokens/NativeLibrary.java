package dev.penstock.tokens;

import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/// The native library of the jar `tokenizers`, loaded when first needed.
///
/// Not by DJL's own loader: it looks for GPUs and downloads another library where it finds one, and
/// DJL's class of tokenizers asks the network whether it is on EC2. Here nothing is downloaded.
///
/// **Threads.** Safe for any.
final class NativeLibrary {
  private static final NativeLibrary ONLY = new NativeLibrary();

  private boolean isLoaded;
  private @Nullable Throwable failure;

  private NativeLibrary() {}

  /// Returns the functions of the library.
  ///
  /// @throws IllegalStateException if it cannot be loaded, each time with the first reason
  static TokenizersLibrary functions() {
    ONLY.require();
    return TokenizersLibrary.LIB;
  }

  /// Returns the version of the jar; empty if it does not say.
  static Optional<String> version() {
    Properties stated = new Properties();
    try (InputStream file =
        TokenizersLibrary.class.getResourceAsStream("/native/lib/tokenizers.properties")) {
      if (file != null) {
        stated.load(file);
      }
    } catch (IOException e) {
      return Optional.empty();
    }
    return Optional.ofNullable(stated.getProperty("version"));
  }

  private synchronized void require() {
    if (!isLoaded && failure == null) {
      try {
        load();
        isLoaded = true;
      } catch (IOException | LinkageError | RuntimeException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure(failure);
    }
  }

  private static IllegalStateException failure(Throwable thrown) {
    String reason = String.valueOf(thrown.getMessage()).lines().findFirst().orElse("");
    String module = NativeLibrary.class.getModule().getName();
    String flag = module == null ? "ALL-UNNAMED" : module + ",ai.djl.tokenizers";
    return new IllegalStateException(
        "Cannot tokenise: the native library cannot be loaded ("
            + reason
            + "). "
            + (reason.contains("Illegal native access")
                ? "Start Java with --enable-native-access=" + flag + ", too."
                : "It is there for Linux and Windows on x86-64, and for Linux and macOS on ARM64;"
                    + " -Djava.io.tmpdir has to be a folder that can be written and is not mounted"
                    + " with noexec."),
        thrown);
  }

  private static void load() throws IOException {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String processor =
        switch (System.getProperty("os.arch")) {
          case "amd64", "x86_64" -> "x86_64";
          case String other -> other;
        };
    if (system.startsWith("windows")) {
      // In the order in which they need each other.
      load(
          "win-" + processor,
          List.of(
              "libwinpthread-1.dll", "libgcc_s_seh-1.dll", "libstdc++-6.dll", "tokenizers.dll"));
    } else if (system.startsWith("mac")) {
      load("osx-" + processor, List.of("libtokenizers.dylib"));
    } else {
      load("linux-" + processor, List.of("libtokenizers.so"));
    }
  }

  private static void load(String platform, List<String> names) throws IOException {
    Path folder = Files.createTempDirectory("penstock-tokens-");
    List<Path> files = new ArrayList<>(List.of(folder));
    try {
      for (String name : names) {
        String resource = "/native/lib/" + platform + "/cpu/" + name;
        Path file = folder.resolve(name);
        files.addFirst(file);
        try (InputStream library = TokenizersLibrary.class.getResourceAsStream(resource)) {
          if (library == null) {
            throw new IOException("there is none for " + platform);
          }
          Files.copy(library, file);
        }
        System.load(file.toString());
      }
    } finally {
      for (Path file : files) {
        delete(file);
      }
    }
  }

  /// Deletes a file: at once where a file in use can be deleted, else when Java ends.
  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException _) {
      file.toFile().deleteOnExit();
    }
  }
}
