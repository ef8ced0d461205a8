package dev.penstock.testing;

import java.util.Locale;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Runs a class's tests in English: what is shown to readers of the documentation is formatted as
/// the reader's locale says.
public final class English implements BeforeAllCallback, AfterAllCallback {
  private Locale before = Locale.getDefault();

  @Override
  public void beforeAll(ExtensionContext context) {
    before = Locale.getDefault();
    Locale.setDefault(Locale.US);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    Locale.setDefault(before);
  }
}
