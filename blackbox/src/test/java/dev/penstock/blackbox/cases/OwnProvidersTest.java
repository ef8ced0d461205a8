package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.Mixture;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.files.GridFormat;
import dev.penstock.blackbox.files.HeldStorage;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.storage.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/// Formats and stores that somebody brings without a jar of services on the class path.
class OwnProvidersTest extends OwnFolder {
  private static final Storage THREE_ROWS = held(i -> i, "1");

  private static Storage held(LongFunction<Long> values, String version) {
    return new HeldStorage(Map.of("a.grid", GridFormat.file(2, 3, values)), version);
  }

  private static StructuredDataset grid(Storage store) {
    FileFormat format = new GridFormat();
    // @start region=own-providers
    StructuredDataset dataset = new StructuredDataset("mem://").storage(store).format(format);
    // @end
    return dataset;
  }

  private static List<Long> longs(StructuredDataset dataset, String column) {
    List<Long> all = new ArrayList<>();
    try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(2).batchSize(2))) {
      for (Batch batch : loader) {
        for (long row = 0; row < batch.rowCount(); row++) {
          all.add(batch.tensor(column).getLong(row));
        }
        batch.close();
      }
    }
    return all;
  }

  @Test
  void formatAndStoreAreGivenAsInstances() {
    StructuredDataset dataset = grid(THREE_ROWS);
    assertThat(dataset).hasToString("StructuredDataset [mem://], grid, not opened yet");
    assertThat(longs(dataset, "c0")).containsExactly(0L, 2L, 4L);
    assertThat(dataset.formatOption("row-group-rows", "2").files().getFirst().rowGroups())
        .hasSize(2);
    assertThat(longs(grid(THREE_ROWS).where("c0 > 0").rowIndex("row"), "row"))
        .containsExactly(1L, 2L);
  }

  @Test
  void givenFormatReadsWhatANameOrAnExtensionSays() throws IOException {
    byte[] file = GridFormat.file(2, 3, i -> i);
    Files.write(path.resolve("a.grid"), file);
    Path other = Files.write(path.resolve("other.bin"), file);
    Files.writeString(path.resolve("b.csv"), "c0\n7\n");
    StructuredDataset below = new StructuredDataset(path.toString()).format(new GridFormat());
    assertThat(longs(below, "c1")).containsExactly(1L, 3L, 5L);
    assertThat(longs(below.format("csv"), "c0")).containsExactly(7L);
    assertThat(longs(below.format("csv").format("grid"), "c0")).containsExactly(0L, 2L, 4L);
    StructuredDataset named = new StructuredDataset(other.toString()).format(new GridFormat());
    assertThat(longs(named, "c1")).containsExactly(1L, 3L, 5L);
  }

  @Test
  void chosenFormatComesBeforeAnotherWithItsExtension() throws IOException {
    Files.write(path.resolve("a.csv"), GridFormat.file(1, 2, i -> i));
    FileFormat ofCsvFiles =
        new GridFormat() {
          @Override
          public List<String> extensions() {
            return List.of("csv");
          }
        };
    StructuredDataset dataset = new StructuredDataset(path.toString()).format(ofCsvFiles);
    assertThat(longs(dataset, "c0")).containsExactly(0L, 1L);
  }

  @Test
  void sourcesOfAMixtureHaveTheirOwnStores() {
    StructuredDataset first = grid(THREE_ROWS);
    StructuredDataset second = grid(held(i -> 10 + i, "2"));
    Mixture mixture = Mixture.of(first, 0.5).and(second, 0.5);
    assertThat(longs(new StructuredDataset(mixture), "c0"))
        .containsExactlyInAnyOrder(0L, 2L, 4L, 10L, 12L, 14L);
    assertThatThrownBy(() -> new StructuredDataset(mixture).storage(THREE_ROWS))
        .hasMessageContaining("Cannot use storage on a mixture: each of its sources has its own.");
  }

  @Test
  void cacheTellsVersionsOfInstancesApart() {
    String cache = path.resolve("cache").toString();
    for (int epoch = 0; epoch < 2; epoch++) {
      assertThat(longs(grid(THREE_ROWS).cache(cache, "1MiB"), "c0")).containsExactly(0L, 2L, 4L);
      assertThat(longs(grid(held(i -> -i, "2")).cache(cache, "1MiB"), "c0"))
          .containsExactly(0L, -2L, -4L);
    }
  }

  @Test
  void givenStoreTakesItsOptions() {
    StructuredDataset dataset = grid(THREE_ROWS).storageOption("mem-version", "7");
    assertThat(longs(dataset, "c1")).containsExactly(1L, 3L, 5L);
    assertThatThrownBy(() -> new StructuredDataset("mem://").storageOption("mem-version", "7"))
        .hasMessageContaining("no store here takes it");
  }

  @Test
  void nameOfAnotherClassIsRefused() {
    StructuredDataset dataset = new StructuredDataset("mem://");
    FileFormat second =
        new GridFormat() {
          @Override
          public String name() {
            return "csv";
          }
        };
    assertThatThrownBy(() -> dataset.format(second))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Cannot use FileFormat 'csv': it is provided by ")
        .hasMessageContaining(second.getClass().getName() + " in file:")
        .hasMessageContaining(" and by dev.penstock.internal.csv.CsvFormat in file:")
        .hasMessageEndingWith(" Keep one of them, or give them different names.");
    Storage disk =
        new HeldStorage() {
          @Override
          public List<String> schemes() {
            return List.of("mem", "file");
          }
        };
    assertThatThrownBy(() -> dataset.storage(disk))
        .hasMessageContaining("Cannot use Storage 'file': it is provided by ")
        .hasMessageContaining(" and by dev.penstock.internal.local.LocalStorage in file:");
    FileFormat nameless =
        new GridFormat() {
          @Override
          public String name() {
            return null;
          }
        };
    assertThatThrownBy(() -> dataset.format(nameless))
        .hasMessageStartingWith("Cannot use " + nameless.getClass().getName())
        .hasMessageEndingWith(": name() must not be null.");
  }

  /// Has classes of its own for a format and a store that nobody else knows as services.
  private static final class Plugin extends URLClassLoader {
    private static final List<String> OWN =
        List.of(GridFormat.class.getName(), HeldStorage.class.getName());

    Plugin(Path services) throws MalformedURLException {
      super(new URL[] {services.toUri().toURL()}, OwnProvidersTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      Class<?> known = findLoadedClass(name);
      if (known != null || OWN.stream().noneMatch(name::startsWith)) {
        return known == null ? super.loadClass(name, resolve) : known;
      }
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  private Plugin plugin() throws IOException {
    Path services = Files.createDirectories(path.resolve("plugin/META-INF/services"));
    Files.writeString(services.resolve(FileFormat.class.getName()), GridFormat.class.getName());
    Files.writeString(services.resolve(Storage.class.getName()), HeldStorage.class.getName());
    return new Plugin(path.resolve("plugin"));
  }

  /// Runs something as a plugin or a web application does.
  private static void in(ClassLoader context, Runnable work) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(context);
    try {
      work.run();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void contextClassLoaderIsAskedToo() throws IOException {
    try (Plugin plugin = plugin()) {
      List<StructuredDataset> made = new ArrayList<>();
      in(
          plugin,
          () -> {
            made.add(new StructuredDataset("mem://"));
            assertThat(longs(new StructuredDataset("mem://"), "c0")).containsExactly(0L, 2L, 4L);
          });
      assertThat(longs(made.getFirst().format("grid"), "c1"))
          .as("asked when the dataset is made")
          .containsExactly(1L, 3L, 5L);
      assertThatThrownBy(() -> new StructuredDataset("mem://").schema())
          .hasMessageContaining("no store serves 'mem://'. Stores here serve: [");
      in(
          plugin,
          () ->
              assertThatThrownBy(() -> grid(THREE_ROWS))
                  .as("not the plugin's class")
                  .hasMessageContaining("Cannot use Storage 'mem': it is provided by "));
    }
  }

  private WeakReference<ClassLoader> usedAndClosed() throws IOException {
    try (Plugin plugin = plugin()) {
      in(
          plugin,
          () -> {
            StructuredDataset dataset = new StructuredDataset("mem://");
            assertThat(longs(dataset, "c0")).containsExactly(0L, 2L, 4L);
            assertThat(longs(dataset.storageOption("mem-version", "3"), "c0")).hasSize(3);
            assertThat(longs(dataset.cache(path.resolve("kept").toString(), "1MiB"), "c0"))
                .hasSize(3);
          });
      return new WeakReference<>(plugin);
    }
  }

  @Test
  void pluginsCanBeUnloaded() throws IOException {
    WeakReference<ClassLoader> plugin = usedAndClosed();
    List<byte[]> fill = new ArrayList<>();
    for (int i = 0; i < 50 && plugin.get() != null; i++) {
      System.gc();
      fill.add(new byte[1 << 16]);
    }
    assertThat(plugin.get()).as("after %s collections", fill.size()).isNull();
  }
}
