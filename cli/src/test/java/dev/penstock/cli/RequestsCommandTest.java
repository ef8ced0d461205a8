package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.Delivered;
import dev.penstock.testing.Requests;
import dev.penstock.testing.Requests.Case;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// The golden requests on the command line.
class RequestsCommandTest {
  /// What a command that reads makes of its options.
  @Command
  private static final class Asked {}

  private static String delivered(List<String> arguments) {
    RequestOptions options = RequestOptions.all();
    CommandLine command = new CommandLine(new Asked());
    options.addTo(command.getCommandSpec());
    command.parseArgs(arguments.toArray(String[]::new));
    return Delivered.of(options.dataset(), options.loaderOptions());
  }

  private static String outcome(Requests requests, Case asked, Map<String, String> java) {
    List<String> words = new ArrayList<>(asked.command());
    if (words.getFirst().equals("load")) {
      words.addAll(List.of("--progress", "none")); // which says how fast it was
    }
    CommandRun run = CommandRun.of(words.toArray(String[]::new));
    String said = run.err().isEmpty() ? "" : ",\"said\":" + Delivered.text(run.err());
    if (run.status() != Main.DONE) {
      return "{\"status\":" + run.status() + said + "}";
    }
    List<String> arguments = asked.command().subList(1, asked.command().size());
    String delivered = requests.shown(delivered(arguments));
    return delivered.equals(java.get(asked.name()))
        ? "{\"as\":\"java\"" + said + "}"
        : delivered.substring(0, delivered.length() - 1) + said + "}";
  }

  @Test
  void commandMeansWhatItMeant(@TempDir Path folder) throws IOException {
    Requests requests = Requests.in(folder);
    List<Case> cases = requests.cases().stream().filter(each -> !each.command().isEmpty()).toList();
    assertThat(cases).hasSizeGreaterThan(100);
    Map<String, String> java = Requests.recorded("java");
    requests.replay("command", cases, each -> outcome(requests, each, java));
  }
}
