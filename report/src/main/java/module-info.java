import dev.penstock.ReportWriter;
import dev.penstock.report.LoaderReport;
import org.jspecify.annotations.NullMarked;

/// What a loader did, as one HTML file.
@NullMarked
module dev.penstock.report {
  exports dev.penstock.report;
  exports dev.penstock.report.page;

  requires transitive dev.penstock;
  requires static jdk.jfr; // where it is absent no recordings are read
  requires static transitive org.jspecify;
  requires tools.jackson.core;

  provides ReportWriter with
      LoaderReport;
}
