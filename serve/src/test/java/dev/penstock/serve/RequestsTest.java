package dev.penstock.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.request.Opening.Keeper;
import dev.penstock.testing.Delivered;
import dev.penstock.testing.Requests;
import dev.penstock.testing.Requests.Case;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The golden requests as a client sends them: what Java makes of them.
class RequestsTest {
  private static String outcome(String json) {
    try {
      Request request = Request.parse(json, Keeper.NONE, true);
      return Delivered.of(request.dataset(), request.options());
    } catch (Exception | OutOfMemoryError e) {
      return Errors.json(0, e)
          .replaceFirst("\"number\":0,", "")
          .replaceFirst(",\"parts\":.*](?=,\"type\")", "")
          .replaceFirst(",\"type\":\"[^\"]*\"", "");
    }
  }

  @Test
  void requestsMeanWhatTheyMeant(@TempDir Path folder) throws IOException {
    Requests requests = Requests.in(folder);
    List<Case> cases = requests.cases().stream().filter(each -> !each.request().isEmpty()).toList();
    assertThat(cases).hasSizeGreaterThan(200);
    requests.replay("java", cases, each -> outcome(each.request()));
  }
}
