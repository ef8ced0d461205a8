package dev.penstock.examples.spark;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.launcher.JavaModuleOptions;

/// A Spark cluster on this machine: a master and workers, each a process that listens on the
/// loopback interface, as Spark's `start-master.sh` and `start-worker.sh` start them.
///
/// It is a cluster to try programs on. [#close()] ends all of its processes.
public final class StandaloneCluster implements AutoCloseable {
  private static final Pattern MASTER = Pattern.compile("Starting Spark master at (spark://\\S+)");
  private static final Pattern REGISTERED = Pattern.compile("Successfully registered with master");
  private static final String LOOPBACK = "127.0.0.1";
  private static final String EXECUTOR = "CoarseGrainedExecutorBackend";

  private final Path home;
  private final Path logs;
  private final List<Process> processes = new ArrayList<>();
  private final List<Process> workers = new ArrayList<>();
  private final String master;

  /// Makes a home of Spark: a folder whose `jars` are links.
  ///
  /// @param classPath the jars of a Spark distribution
  /// @param home the folder; what is there already stays
  /// @return the folder
  /// @throws IOException if it cannot be written
  public static Path home(String classPath, Path home) throws IOException {
    Path jars = Files.createDirectories(home.resolve("jars"));
    for (String jar : List.of(classPath.split(Pattern.quote(File.pathSeparator), -1))) {
      Path link = jars.resolve(Path.of(jar).getFileName());
      Files.deleteIfExists(link);
      Files.createSymbolicLink(link, Path.of(jar));
    }
    return home;
  }

  /// Starts a cluster.
  ///
  /// @param home the home of Spark
  /// @param folder for its logs and working folders
  /// @param workers how many workers
  /// @param cores how many tasks each of them runs at once
  /// @throws IOException if it does not start
  public StandaloneCluster(Path home, Path folder, int workers, int cores) throws IOException {
    this.home = home;
    this.logs = Files.createDirectories(folder.resolve("logs"));
    try {
      this.master = startMaster();
      for (int worker = 0; worker < workers; worker++) {
        this.workers.add(startWorker(worker, cores, folder.resolve("work")));
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private String startMaster() throws IOException {
    Process process = start("master.Master", List.of());
    return await("master", process, MASTER).group(1);
  }

  private Process startWorker(int worker, int cores, Path work) throws IOException {
    String name = "worker-" + worker;
    String folder = work.resolve(name).toString();
    String count = String.valueOf(cores);
    Process process =
        start(
            "worker.Worker",
            List.of("--cores", count, "--memory", "8g", "--work-dir", folder, master));
    await(name, process, REGISTERED);
    return process;
  }

  /// Starts a process that listens on free ports of the loopback interface.
  private Process start(String daemon, List<String> own) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add("org.apache.spark.deploy." + daemon);
    arguments.addAll(List.of("--host", LOOPBACK, "--port", "0", "--webui-port", "0"));
    arguments.addAll(own);
    Process process = java("-Xmx512m", arguments).redirectErrorStream(true).start();
    processes.add(process);
    return process;
  }

  private ProcessBuilder java(String heap, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(heap);
    command.addAll(List.of(JavaModuleOptions.defaultModuleOptionArray()));
    command.addAll(List.of("-cp", home.resolve("jars") + "/*"));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("SPARK_HOME", home.toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13"); // or it looks for a build of Spark
    builder.environment().put("SPARK_LOCAL_IP", LOOPBACK);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return builder;
  }

  /// Waits until a process says that it is ready, and keeps what it says in a file.
  private Matcher await(String name, Process process, Pattern ready) throws IOException {
    BufferedReader said = process.inputReader(UTF_8);
    Path log = logs.resolve(name + ".log");
    StringBuilder text = new StringBuilder();
    while (true) {
      String line = said.readLine();
      if (line == null) {
        throw new IOException("Cannot start Spark's " + name + ": it ended. It said:\n" + text);
      }
      text.append(line).append('\n');
      Matcher found = ready.matcher(line);
      if (found.find()) {
        Files.writeString(log, text);
        Thread.ofVirtual().name("penstock-log-of-" + name).start(() -> copy(said, log));
        return found;
      }
    }
  }

  private static void copy(BufferedReader said, Path log) {
    try (said;
        var file = Files.newBufferedWriter(log, StandardOpenOption.APPEND)) {
      said.transferTo(file);
    } catch (IOException e) {
      // The process was ended.
    }
  }

  /// Prepares a program's driver, as `spark-submit` starts it.
  ///
  /// @param arguments those of `spark-submit`, behind `--master`
  /// @return the process, not started; its environment and streams can still be set
  public ProcessBuilder submit(List<String> arguments) {
    List<String> all = new ArrayList<>();
    all.addAll(List.of("org.apache.spark.deploy.SparkSubmit", "--master", master));
    all.addAll(List.of("--conf", "spark.driver.host=" + LOOPBACK));
    all.addAll(List.of("--conf", "spark.driver.bindAddress=" + LOOPBACK));
    all.addAll(List.of("--conf", "spark.ui.enabled=false"));
    all.addAll(arguments);
    return java("-Xmx1g", all);
  }

  /// Returns the executors of a worker: processes in which its tasks run.
  ///
  /// @param worker its number, from 0
  /// @return those that run now
  public List<ProcessHandle> executors(int worker) {
    try (Stream<ProcessHandle> children = workers.get(worker).descendants()) {
      return children.filter(StandaloneCluster::isExecutor).toList();
    }
  }

  private static boolean isExecutor(ProcessHandle process) {
    return process.info().commandLine().orElse("").contains(EXECUTOR);
  }

  /// Kills a worker and its executors at once, as a machine goes that loses its power.
  ///
  /// @param worker its number, from 0
  public void kill(int worker) {
    List<ProcessHandle> executors = executors(worker);
    workers.get(worker).destroyForcibly();
    executors.forEach(ProcessHandle::destroyForcibly);
  }

  /// Ends all processes of the cluster.
  @Override
  public void close() {
    List<ProcessHandle> all = new ArrayList<>();
    for (Process process : processes) {
      process.descendants().forEach(all::add);
      all.add(process.toHandle());
    }
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(each -> each.onExit().join());
  }
}
