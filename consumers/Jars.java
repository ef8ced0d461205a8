import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Makes the two jars of docs/how-to/fat-jars.md with what stands there, a shaded one and one of
/// Spring Boot, and runs each by `java -jar` alone. Native access is denied but to whom the jar's
/// manifest grants it.
final class Jars {
  private static final String PAGE = "docs/how-to/fat-jars.md";
  private static final String AVRO = "blackbox/src/test/resources/nulls/0.avro";
  private static final String SERVICE = "consumers/src/service/FlightService.java";
  private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");
  private static final int LINES = 818; // flights from LAS, counted by pyarrow
  private static final int SECONDS = 120;

  private final Consumers consumers;
  private final Path shaded;
  private final Path service;

  Jars(Consumers consumers) {
    this.consumers = consumers;
    this.shaded = consumers.folder("shaded");
    this.service = consumers.folder("service");
  }

  /// Returns what went wrong.
  List<String> check() throws Exception {
    write();
    consumers.maven(List.of("shaded", "service"), "package", "-Dmaven.test.skip=true");
    List<String> faults = new ArrayList<>();
    runShaded(faults);
    runService(faults);
    System.out.printf("2 jars, %d faults%n", faults.size());
    return faults;
  }

  private void write() throws IOException {
    List<String> poms = consumers.blocks(PAGE, "xml");
    Files.createDirectories(shaded);
    Files.writeString(
        shaded.resolve("pom.xml"),
        consumers.pom(
            "shaded",
            // Avro's file of services is the first, and core's the second.
            consumers.dependencies(List.of("avro", "core"))
                + poms.get(0).replace("com.example.Train", "reads.ReadFile")));
    consumers.copy("consumers/src/reads/ReadFile.java", shaded);

    Path sources = Files.createDirectories(service.resolve("src/main/java/com/example/flights"));
    Files.writeString(
        service.resolve("pom.xml"),
        poms.get(1).replace("</project>", consumers.repositories() + "</project>"));
    Files.copy(consumers.file(SERVICE), sources.resolve("FlightService.java"));
    Path data = Files.createDirectories(service.resolve("data/flights"));
    Files.copy(consumers.file(Use.FLIGHTS), data.resolve("part-0.parquet"));
  }

  private Process java(Path jar, Path folder, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xmx1g", "--illegal-native-access=deny"));
    command.addAll(List.of("-jar", jar.toString()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    CompletableFuture.delayedExecutor(SECONDS, TimeUnit.SECONDS).execute(process::destroyForcibly);
    return process;
  }

  private void runShaded(List<String> faults) throws Exception {
    Path jar = shaded.resolve("target/shaded-1.jar");
    Process process = java(jar, consumers.file(""), AVRO, Use.FLIGHTS);
    String said = new String(process.getInputStream().readAllBytes());
    if (process.waitFor() != 0) {
      faults.add("shaded failed:\n" + said);
    }
  }

  private void runService(List<String> faults) throws Exception {
    Path jar = service.resolve("target/flight-service-1.0.jar");
    Process process = java(jar, service, "--server.address=127.0.0.1", "--server.port=0");
    StringBuilder said = new StringBuilder();
    try (BufferedReader log = process.inputReader()) {
      for (String line = log.readLine(); line != null; line = log.readLine()) {
        said.append(line).append('\n');
        Matcher port = PORT.matcher(line);
        if (port.find()) {
          ask(URI.create("http://127.0.0.1:" + port.group(1) + "/scores?origin=LAS"), said);
          return;
        }
      }
      throw new IllegalStateException("it ended");
    } catch (IOException | IllegalStateException e) {
      faults.add("service failed: " + e + "\n" + said);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static void ask(URI scores, StringBuilder said) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> response =
          client.send(HttpRequest.newBuilder(scores).build(), HttpResponse.BodyHandlers.ofString());
      long lines = response.body().lines().count();
      if (response.statusCode() != 200 || lines != LINES) {
        said.append(response.body());
        throw new IllegalStateException(response.statusCode() + ", " + lines + " lines");
      }
    }
  }
}
