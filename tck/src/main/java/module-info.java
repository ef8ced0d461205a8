import org.jspecify.annotations.NullMarked;

/// Tests that every format and every store has to pass.
///
/// Start at [dev.penstock.tck.FileFormatContract] and [dev.penstock.tck.StorageContract].
@NullMarked
module dev.penstock.tck {
  exports dev.penstock.tck;

  opens dev.penstock.tck to
      org.junit.platform.commons;

  requires transitive dev.penstock;
  requires transitive org.junit.jupiter.api;
  requires static transitive org.jspecify;
}
