package dev.penstock.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportPageTest {
  private static final String HOSTILE = "</script><img src=x onerror=alert(1)>";

  @Test
  void nothingInTheDataEndsTheirElement() throws IOException {
    String page = page("{\"title\": \"" + HOSTILE + "\"}");

    assertThat(page)
        .doesNotContain(HOSTILE)
        .contains("{\"title\": \"\\u003c/script>\\u003cimg src=x onerror=alert(1)>\"}");
  }

  @Test
  void textsAndBytesAreTheSamePage() throws IOException {
    String json = "{\"title\": \"Zürich {{script}}\"}";
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    ReportPage.write(json, bytes);

    assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo(page(json));
  }

  @Test
  void placesInTheDataAreNotFilled() throws IOException {
    assertThat(page("{\"title\": \"{{style}}\"}")).contains("{\"title\": \"{{style}}\"}");
  }

  @Test
  void onlyALivePageMayAskItsServer() throws IOException {
    ByteArrayOutputStream live = new ByteArrayOutputStream();

    ReportPage.writeLive("{}", live);

    assertThat(live.toString(StandardCharsets.UTF_8)).contains("connect-src 'self';");
    assertThat(page("{}")).contains("connect-src 'none';");
  }

  @Test
  void thePolicyAllowsNoScriptButByItsHash() throws IOException {
    assertThat(page("{}"))
        .containsPattern("default-src 'none'; script-src 'sha256-[^']+' 'sha256-[^']+'; style-src")
        .doesNotContain("unsafe-");
  }

  @Test
  void longDataArePacked() throws IOException {
    String json = "{\"title\": \"" + "x".repeat(1 << 20) + "\"}";

    assertThat(page(json)).contains("data-encoding=\"gzip\">H4sI").hasSizeLessThan(1 << 20);
  }

  @Test
  void nothingInTheScriptsEndsTheirElement() throws IOException {
    assertThat(page("{}").split("</script>", -1)).hasSize(4);
  }

  @Test
  void theLicencesOfTheChartsAreInTheJar() {
    assertThat(
            List.of("echarts/LICENSE", "echarts/NOTICE", "echarts/LICENSE-d3", "zrender/LICENSE"))
        .allSatisfy(name -> assertThat(ReportPage.class.getResource(name)).as(name).isNotNull());
  }

  private static String page(String json) throws IOException {
    StringBuilder page = new StringBuilder();
    ReportPage.write(json, page);
    return page.toString();
  }
}
