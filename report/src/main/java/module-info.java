import org.jspecify.annotations.NullMarked;

/// What a loader did, as one HTML file.
@NullMarked
module dev.penstock.report {
  exports dev.penstock.report.page;

  requires transitive dev.penstock;
  requires static transitive org.jspecify;
}
