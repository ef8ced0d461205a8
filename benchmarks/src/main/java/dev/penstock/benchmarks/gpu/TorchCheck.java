package dev.penstock.benchmarks.gpu;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import tools.jackson.core.io.JsonStringEncoder;

/// Runs `check_torch.py` where Python with torch is.
final class TorchCheck {
  private static final int SKIPPED = 3;

  private final Path folder;
  private final PrintStream console;

  /// @param folder what has `python`, with the script and the package, beside `jars` and `runtime`
  TorchCheck(Path folder, PrintStream console) {
    this.folder = folder;
    this.console = console;
  }

  void run(CheckReport report) throws IOException {
    report.begin("Python with torch");
    ProcessBuilder builder =
        new ProcessBuilder(
                System.getenv().getOrDefault("PYTHON", "python3"),
                folder.resolve("python/check_torch.py").toString(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    long begin = System.nanoTime();
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      char[] why = JsonStringEncoder.getInstance().quoteAsCharArray(String.valueOf(e.getMessage()));
      skip(report, "{\"skipped\": \"" + new String(why) + "\"}");
      return;
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String said = output.strip().substring(output.strip().lastIndexOf('\n') + 1);
    int status = status(process);
    boolean told = said.startsWith("{") && said.endsWith("}");
    if (status == SKIPPED && told) {
      skip(report, said);
      return;
    }
    String wrong =
        status == 0 && told ? "" : "check_torch.py ended with status " + status + ": " + said;
    report.torch(told ? said : "{}");
    report.end("Python with torch", wrong, (System.nanoTime() - begin) / 1e9);
    console.println((wrong.isEmpty() ? "passed  " : "FAILED  ") + "Python with torch: " + said);
  }

  private static int status(Process process) throws IOException {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while Python runs", e);
    }
  }

  private void skip(CheckReport report, String json) throws IOException {
    report.skipTorch(json);
    console.println("skipped Python with torch: " + json);
  }
}
