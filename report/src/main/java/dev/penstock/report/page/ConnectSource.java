package dev.penstock.report.page;

/// Where a page may ask for data.
enum ConnectSource {
  /// Nowhere: all data are in the file.
  NONE("'none'"),
  /// The server it came from.
  SELF("'self'");

  private final String source;

  ConnectSource(String source) {
    this.source = source;
  }

  /// The source as a Content-Security-Policy writes it.
  String source() {
    return source;
  }
}
