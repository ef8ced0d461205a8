import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Makes Maven projects that depend on some of Penstock's modules, builds them in one run of Maven,
/// and runs the programs of `reads` on each one's class path. `consumers/run` starts it.
///
/// A library that two modules bring must have one version in all projects: which one Maven takes
/// otherwise depends on the order of the dependencies.
public final class Consumers {
  private static final String TUTORIAL_PAGE = "docs/tutorial/getting-started.md";
  private static final String README_PAGE = "README.md";

  /// The jars of docs/how-to/fat-jars.md.
  private static final String JARS = "fat-jars";

  /// The projects of docs/how-to/write-a-format.md and write-a-store.md.
  private static final String EXTENSIONS = "extensions";

  private static final int SECONDS = 120;

  /// What Arrow and Spark ask of a program's JVM, and the flag that docs/reference/modules.md
  /// names.
  private static final List<String> FLAGS =
      Stream.concat(
              Stream.of(
                  "-XX:TieredStopAtLevel=1",
                  "-Xmx1g",
                  "--enable-native-access=ALL-UNNAMED",
                  "--sun-misc-unsafe-memory-access=allow"),
              Stream.of(
                      "java.lang",
                      "java.lang.invoke",
                      "java.net",
                      "java.nio",
                      "java.util",
                      "java.util.concurrent",
                      "sun.nio.ch",
                      "sun.security.action")
                  .map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED"))
          .toList();

  /// A project.
  ///
  /// @param modules what it depends on, in this order
  /// @param folder where it is
  record Project(List<String> modules, Path folder) {
    String name() {
      return folder.getFileName().toString();
    }
  }

  private final Path root = Path.of("").toAbsolutePath();
  private final Path work;

  /// The modules of the BOM but the command: each must have a use.
  private final List<String> ours;

  private final String version;
  private final String spark;
  private final List<String> faults = new ArrayList<>();

  private Consumers(Path work) throws IOException {
    this.work = work;
    String pom = Files.readString(root.resolve("pom.xml"));
    this.version = element(pom, "revision");
    this.spark = element(pom, "spark.version");
    String bom = Files.readString(root.resolve("bom/pom.xml"));
    this.ours =
        Pattern.compile("<groupId>dev.penstock</groupId>\\s*<artifactId>penstock-(.+)<")
            .matcher(bom)
            .results()
            .map(found -> found.group(1))
            .filter(module -> !module.equals("cli"))
            .sorted()
            .toList();
  }

  private static String element(String pom, String name) {
    Matcher matcher = Pattern.compile("<" + name + ">(.*?)</" + name + ">").matcher(pom);
    if (!matcher.find()) {
      throw new IllegalStateException("No <" + name + "> in pom.xml.");
    }
    return matcher.group(1);
  }

  public static void main(String[] args) throws Exception {
    Consumers consumers = new Consumers(Path.of(args[0]));
    List<String> names = Arrays.asList(args).subList(1, args.length);
    List<List<String>> wanted = names.isEmpty() ? consumers.all() : inBothOrders(names);
    if (names.equals(List.of("pairs"))) {
      wanted = consumers.all();
      wanted.addAll(consumers.pairs());
    }
    boolean hasJars = wanted.remove(List.of(JARS));
    boolean hasExtensions = wanted.remove(List.of(EXTENSIONS));
    if (!wanted.isEmpty()) {
      consumers.check(wanted);
    }
    if (hasJars) {
      consumers.faults.addAll(new Jars(consumers).check());
    }
    if (hasExtensions) {
      consumers.faults.addAll(new Extensions(consumers).check());
    }
    consumers.faults.forEach(System.out::println);
    System.exit(consumers.faults.isEmpty() ? 0 : 1);
  }

  private static List<List<String>> inBothOrders(List<String> names) {
    List<List<String>> wanted = new ArrayList<>();
    for (String name : names) {
      List<String> modules = List.of(name.split(","));
      wanted.add(modules);
      if (modules.size() > 1) {
        wanted.add(modules.reversed());
      }
    }
    return wanted;
  }

  /// Every module alone, all modules at once, the tutorial, the README, the fat jars and the
  /// extensions.
  private List<List<String>> all() {
    List<List<String>> all = new ArrayList<>();
    all.add(ours);
    ours.forEach(module -> all.add(List.of(module)));
    all.add(List.of(Use.TUTORIAL));
    all.add(List.of(Use.README));
    all.add(List.of(JARS));
    all.add(List.of(EXTENSIONS));
    return all;
  }

  private List<List<String>> pairs() {
    List<List<String>> pairs = new ArrayList<>();
    for (String first : ours) {
      for (String second : ours) {
        if (!first.equals(second)) {
          pairs.add(List.of(first, second));
        }
      }
    }
    return pairs;
  }

  private void check(List<List<String>> wanted) throws Exception {
    List<Project> projects = new ArrayList<>();
    for (List<String> modules : wanted) {
      projects.add(
          switch (modules.getFirst()) {
            case Use.TUTORIAL -> writeTutorial();
            case Use.README -> writeReadme();
            default -> write(modules);
          });
    }
    build(projects);
    compareVersions(projects);
    int threads = Runtime.getRuntime().availableProcessors();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> running = new ArrayList<>();
      for (Project project : differing(projects)) {
        running.add(
            pool.submit(() -> {
              run(project);
              return null;
            }));
      }
      for (Project project : projects) {
        if (project.modules().equals(List.of("core"))) {
          running.add(
              pool.submit(() -> {
                List<String> found = new Starts(this, project.folder(), libraries(project)).check();
                synchronized (faults) {
                  faults.addAll(found);
                }
                return null;
              }));
        }
      }
      for (Future<?> run : running) {
        run.get();
      }
    }
    System.out.printf("%d projects, %d faults%n", projects.size(), faults.size());
  }

  // The projects

  private Project write(List<String> modules) throws IOException {
    boolean all = modules.size() > 2;
    Path folder = folder(all ? "all" : String.join("+", modules));
    Project project = new Project(modules, folder);
    Files.createDirectories(folder);
    String pom = pom(project.name(), (all ? withBom() : "") + dependencies(modules));
    Files.writeString(folder.resolve("pom.xml"), pom);
    for (String module : modules) {
      for (String source : Use.of(module).sources()) {
        copy(source, folder);
      }
    }
    copy("consumers/src/reads/ReadFile.java", folder); // counts rows for others
    return project;
  }

  /// Takes the POM and the program from the page. The POM is changed in one thing: Penstock comes
  /// from the repository below target, as in the other projects.
  private Project writeTutorial() throws IOException {
    String pom = block(TUTORIAL_PAGE, "xml");
    return writePage(
        Use.TUTORIAL,
        pom.replace("</project>", repositories() + "</project>"),
        Use.of(Use.TUTORIAL).main(),
        block(TUTORIAL_PAGE, "java"));
  }

  private Project writeReadme() throws IOException {
    return writePage(
        Use.README,
        pom(Use.README, "<dependencies>" + block(README_PAGE, "xml") + "</dependencies>"),
        Use.of(Use.README).main(),
        block(README_PAGE, "java")
            .replace("data/flights", Path.of(Use.FLIGHTS).getParent().toString()));
  }

  private Project writePage(String name, String pom, String main, String program)
      throws IOException {
    Path folder = folder(name);
    Path sources = Files.createDirectories(folder.resolve("src/main/java"));
    Files.writeString(folder.resolve("pom.xml"), pom);
    Files.writeString(sources.resolve(main + ".java"), program);
    return new Project(List.of(name), folder);
  }

  private String block(String page, String language) throws IOException {
    return blocks(page, language).getFirst();
  }

  List<String> blocks(String page, String language) throws IOException {
    return Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$")
        .matcher(Files.readString(root.resolve(page)))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  Path folder(String project) {
    return work.resolve("projects").resolve(project);
  }

  Path file(String path) {
    return root.resolve(path);
  }

  String repositories() {
    return """
      <repositories>
        <repository>
          <id>consumers</id>
          <url>%s</url>
        </repository>
      </repositories>
    """
        .formatted(work.resolve("repository").toUri());
  }

  void copy(String source, Path folder) throws IOException {
    String inPackage = source.replaceFirst("^.*?src/(test/java/)?", "");
    Path target = folder.resolve("src/main/java").resolve(inPackage);
    Files.createDirectories(target.getParent());
    if (!Files.exists(target)) {
      Files.copy(root.resolve(source), target);
    }
  }

  /// Returns some modules as dependencies: with their versions where these are few.
  String dependencies(List<String> modules) {
    String known = modules.size() > 2 ? "" : version;
    String dependencies =
        modules.stream()
            .map(name -> dependency("dev.penstock", "penstock-" + name, known))
            .collect(Collectors.joining());
    if (modules.contains("spark")) { // which users bring
      dependencies += dependency("org.apache.spark", "spark-core_2.13", spark);
    }
    return "  <dependencies>\n" + dependencies + "  </dependencies>\n";
  }

  private static String dependency(String group, String name, String version) {
    return """
        <dependency>
          <groupId>%s</groupId>
          <artifactId>%s</artifactId>
          %s
        </dependency>
    """
        .formatted(group, name, version.isEmpty() ? "" : "<version>" + version + "</version>");
  }

  private String withBom() {
    return """
      <dependencyManagement>
        <dependencies>
          <dependency>
            <groupId>dev.penstock</groupId>
            <artifactId>penstock-bom</artifactId>
            <version>%s</version>
            <type>pom</type>
            <scope>import</scope>
          </dependency>
        </dependencies>
      </dependencyManagement>
    """
        .formatted(version);
  }

  String pom(String name, String dependencies) {
    return """
    <project xmlns="http://maven.apache.org/POM/4.0.0">
      <modelVersion>4.0.0</modelVersion>
      <groupId>consumer</groupId>
      <artifactId>%s</artifactId>
      <version>1</version>
      <properties>
        <maven.compiler.release>25</maven.compiler.release>
        <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
      </properties>
    %s
    %s
    </project>
    """
        .formatted(name.replace('+', '-'), repositories(), dependencies);
  }

  /// Compiles all projects and writes each one's class path, in one run of Maven.
  private void build(List<Project> projects) throws Exception {
    maven(
        projects.stream().map(Project::name).toList(),
        "org.apache.maven.plugins:maven-compiler-plugin:3.16.0:compile",
        "org.apache.maven.plugins:maven-dependency-plugin:3.7.0:build-classpath",
        "-Dmdep.outputFile=target/classpath.txt");
  }

  /// Runs Maven once for some projects. It has a local repository of its own, so that Penstock
  /// comes from the one below target.
  void maven(List<String> projects, String... arguments) throws Exception {
    String modules =
        projects.stream()
            .map(project -> "    <module>" + project + "</module>\n")
            .collect(Collectors.joining());
    Path pom = folder("pom.xml");
    Files.writeString(
        pom,
        """
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <groupId>consumer</groupId>
          <artifactId>projects</artifactId>
          <version>1</version>
          <packaging>pom</packaging>
          <modules>
        %s  </modules>
        </project>
        """
            .formatted(modules));
    List<String> command = new ArrayList<>();
    command.add(root.resolve("mvnw").toString());
    command.addAll(List.of("-q", "-f", pom.toString()));
    command.add("-Dmaven.repo.local=" + work.resolve("local"));
    command.add(
        "-Dmaven.repo.local.tail=" + Path.of(System.getProperty("user.home"), ".m2/repository"));
    command.addAll(List.of(arguments));
    Process maven = new ProcessBuilder(command).directory(root.toFile()).inheritIO().start();
    if (maven.waitFor() != 0) {
      throw new IllegalStateException("The projects do not build.");
    }
  }

  // What they have

  private static List<Path> libraries(Project project) throws IOException {
    String paths = Files.readString(project.folder().resolve("target/classpath.txt"));
    return Stream.of(paths.split(System.getProperty("path.separator"))).map(Path::of).toList();
  }

  /// A library is a folder of a repository, in it one for each version. With Spark, which users
  /// bring, what Spark needs has the versions that Maven finds first.
  private void compareVersions(List<Project> projects) throws IOException {
    Map<String, Map<String, String>> versions = new TreeMap<>();
    for (Project project : projects) {
      if (!project.modules().contains("spark")) {
        for (Path jar : libraries(project)) {
          Path folder = jar.getParent();
          String library = folder.getParent().toString().replaceFirst(".*/(repository|local)/", "");
          versions
              .computeIfAbsent(library, _ -> new TreeMap<>())
              .putIfAbsent(folder.getFileName().toString(), project.name());
        }
      }
    }
    versions.forEach((library, found) -> {
      if (found.size() > 1) {
        faults.add(library + " has several versions, by projects: " + found);
      }
    });
  }

  /// Returns the projects to run, without those that have the very libraries of one before, in
  /// another order.
  private static List<Project> differing(List<Project> projects) throws IOException {
    Set<Set<Object>> seen = new HashSet<>();
    List<Project> differing = new ArrayList<>();
    for (Project project : projects) {
      Set<Object> has = new HashSet<>(libraries(project));
      has.addAll(project.modules());
      if (seen.add(has)) {
        differing.add(project);
      }
    }
    System.out.printf("%d projects are built, and %d are run%n", projects.size(), differing.size());
    return differing;
  }

  /// Runs the programs of a project's modules one after another, each in a JVM of its own.
  private void run(Project project) throws IOException, InterruptedException {
    String classpath =
        Stream.concat(
                Stream.of(project.folder().resolve("target/classes")), libraries(project).stream())
            .map(Path::toString)
            .collect(Collectors.joining(System.getProperty("path.separator")));
    for (String module : project.modules()) {
      Use use = Use.of(module);
      Path log = project.folder().resolve("target/" + module + ".log");
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
      command.addAll(FLAGS);
      command.add("-Djava.io.tmpdir=" + project.folder().resolve("target"));
      command.add(use.main());
      command.addAll(use.arguments());
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(root.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile());
      builder.environment().put("CLASSPATH", classpath); // too long for some a command line
      Process process = builder.start();
      boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
      if (!ended) {
        process.destroyForcibly().waitFor();
      }
      if (!ended || process.exitValue() != 0) {
        String text = Files.readString(log);
        synchronized (faults) {
          faults.add(
              project.name() + ": " + module + (ended ? " failed:\n" : " did not end:\n") + text);
        }
      }
    }
  }
}
