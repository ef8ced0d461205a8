package dev.penstock.serve;

/// The error for a wrong value of an option. The message is a complete sentence of the library,
/// which may spell the option as Java does: clients show [#option()] as they spell it.
final class WrongOptionException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final String option;

  WrongOptionException(String option, IllegalArgumentException cause) {
    super(cause.getMessage(), cause);
    this.option = option;
  }

  /// Returns the name of the option in a request.
  String option() {
    return option;
  }
}
