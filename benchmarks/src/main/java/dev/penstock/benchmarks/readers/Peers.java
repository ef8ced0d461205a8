package dev.penstock.benchmarks.readers;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/// Loads readers, each library behind a wall of its own.
final class Peers {
  private Peers() {}

  /// Loads the readers of one library.
  ///
  /// @param classPath jars, or folders of jars, as a class path
  static List<Reader> load(String classPath) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (String part : classPath.split(File.pathSeparator, -1)) {
      for (Path jar : jars(Path.of(part))) {
        urls.add(jar.toUri().toURL());
      }
    }
    // Open as long as the process lives.
    URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), new Wall());
    List<Reader> readers =
        ServiceLoader.load(Reader.class, loader).stream().map(ServiceLoader.Provider::get).toList();
    if (readers.isEmpty()) {
      throw new IOException("Cannot compare readers: none is in '" + classPath + "'. Build them.");
    }
    return readers;
  }

  private static List<Path> jars(Path part) throws IOException {
    if (!Files.isDirectory(part)) {
      return List.of(part);
    }
    try (Stream<Path> listed = Files.list(part)) {
      return listed.filter(path -> path.toString().endsWith(".jar")).sorted().toList();
    }
  }

  /// Lets through the types that readers share, and nothing else of this program's class path.
  private static final class Wall extends ClassLoader {
    private static final String SHARED = Reader.class.getPackageName() + ".";

    Wall() {
      super(ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.startsWith(SHARED) && name.indexOf('.', SHARED.length()) < 0) {
        return Reader.class.getClassLoader().loadClass(name);
      }
      throw new ClassNotFoundException(name);
    }
  }
}
