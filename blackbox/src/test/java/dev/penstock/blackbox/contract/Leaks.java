package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.arrow.ArrowBatches;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What must be gone when a loader is closed.
public final class Leaks {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final Path MAPPINGS = Path.of("/proc/self/maps");

  private Leaks() {}

  /// Asserts that a closed loader, all batches of which are closed, has given everything back.
  public static void assertNone(DataLoader loader, Path folder) {
    assertThat(loader.stats().memory().bytes()).as("memory of the closed loader").isZero();
    assertThat(ArrowBatches.allocator().getAllocatedMemory()).as("Arrow's memory").isZero();
    assertThatThrownBy(loader::iterator).hasMessageContaining("closed");
    assertNoThreads();
    assertNoOpenFiles(folder);
  }

  public static void assertNoThreads() {
    assertThat(threads()).extracting(Thread::getName).isEmpty();
  }

  /// Returns the platform threads of loaders.
  public static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("penstock-"))
        .toList();
  }

  /// Asserts that no file below a folder is open; without `/proc` there is nothing to ask.
  public static void assertNoOpenFiles(Path folder) {
    assertThat(openFiles(folder)).as("open files").isEmpty();
  }

  /// Asserts that no file below a folder is mapped; without `/proc` there is nothing to ask.
  public static void assertNoMappings(Path folder) {
    if (!Files.exists(MAPPINGS)) {
      return;
    }
    try (Stream<String> mappings = Files.lines(MAPPINGS)) {
      assertThat(mappings.filter(line -> line.contains(folder + "/"))).as("mapped files").isEmpty();
    } catch (IOException e) {
      throw new AssertionError("Cannot look at mapped files", e);
    }
  }

  private static List<Path> openFiles(Path folder) {
    if (!Files.isDirectory(DESCRIPTORS)) {
      return List.of();
    }
    List<Path> open = new ArrayList<>();
    try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
      for (Path descriptor : descriptors.toList()) {
        target(descriptor).filter(path -> path.startsWith(folder)).forEach(open::add);
      }
    } catch (IOException e) {
      throw new AssertionError("Cannot look at open files", e);
    }
    return open;
  }

  /// A descriptor may be closed between listing and looking.
  private static Stream<Path> target(Path descriptor) {
    try {
      return Stream.of(Files.readSymbolicLink(descriptor));
    } catch (IOException _) {
      return Stream.of();
    }
  }
}
