package dev.penstock.benchmarks;

import java.io.File;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/// Runs loaders in turns, epoch by epoch in one JVM, and prints how they compare: other options of
/// one version of the library, other versions of it, or both.
///
/// What slows a machine down for a while slows all of them down, so that small differences are
/// seen. Each loader is behind a class loader of its own, and its code is compiled by itself.
public final class Turns {
  private Turns() {}

  /// Runs a comparison.
  ///
  /// @param args `DATA_DIR WARM_UPS ROUNDS JAR,... CASE...`: the epochs of each loader that do not
  ///   count and those that do, the jars of the library's core that are compared, or nothing for
  ///   the one that is on the class path, and what [Turn] reads
  /// @throws Exception if the data or a jar is not there
  public static void main(String[] args) throws Exception {
    Path data = Path.of(args[0]).toAbsolutePath();
    int warmUps = Integer.parseInt(args[1]);
    int rounds = Integer.parseInt(args[2]);
    List<Contender> contenders = new ArrayList<>();
    for (String jar : args[3].split(",", -1)) {
      String version = jar.isEmpty() ? "" : " of " + Path.of(jar).getFileName();
      for (String name : Arrays.asList(args).subList(4, args.length)) {
        contenders.add(new Contender(name + version, loader(jar, name, data), new ArrayList<>()));
      }
    }
    for (int round = -warmUps; round < rounds; round++) {
      for (int i = 0; i < contenders.size(); i++) {
        // Another one is first in each round.
        contenders.get(Math.floorMod(round + i, contenders.size())).run(round >= 0);
      }
    }
    print(contenders, warmUps, rounds);
    System.out.flush();
    Runtime.getRuntime().halt(0); // no loader is closed
  }

  private static LongSupplier loader(String jar, String name, Path data) throws Exception {
    List<URL> urls = new ArrayList<>();
    String classPath = System.getProperty("java.class.path");
    for (String part : (jar + File.pathSeparator + classPath).split(File.pathSeparator, -1)) {
      if (!part.isEmpty()) {
        urls.add(Path.of(part).toUri().toURL());
      }
    }
    // Open as long as the process lives.
    URLClassLoader version =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    Thread.currentThread().setContextClassLoader(version);
    Constructor<?> turn =
        version.loadClass(Turn.class.getName()).getConstructor(String.class, Path.class);
    return (LongSupplier) turn.newInstance(name, data);
  }

  private static void print(List<Contender> contenders, int warmUps, int rounds) {
    line(
        "%nMedians of %d epochs after %d, and of the ratios to the first loader, round by round.%n",
        rounds, warmUps);
    line("| loader | ms | least | most | x first |%n|---|---:|---:|---:|---:|");
    List<Long> base = contenders.getFirst().nanos();
    for (Contender contender : contenders) {
      double[] millis = new double[rounds];
      double[] ratios = new double[rounds];
      for (int i = 0; i < rounds; i++) {
        millis[i] = contender.nanos().get(i) / 1e6;
        ratios[i] = (double) contender.nanos().get(i) / base.get(i);
      }
      Arrays.sort(millis);
      Arrays.sort(ratios);
      line(
          "| %s | %.2f | %.2f | %.2f | %.3f |",
          contender.name(), millis[rounds / 2], millis[0], millis[rounds - 1], ratios[rounds / 2]);
    }
  }

  private static void line(String format, Object... values) {
    System.out.printf(Locale.ROOT, format + "%n", values);
  }

  /// A loader and what its epochs took.
  private record Contender(String name, LongSupplier loader, List<Long> nanos) {
    void run(boolean counts) {
      Thread.currentThread().setContextClassLoader(loader.getClass().getClassLoader());
      long took = loader.getAsLong();
      if (counts) {
        nanos.add(took);
      }
    }
  }
}
