package dev.penstock.tck;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Runs the tests of a class, as an author's build does.
final class Launched {
  private Launched() {}

  /// Returns the messages of the tests of a class that failed, by their names.
  static Map<String, String> failures(Class<?> tests) {
    return failures(selectClass(tests));
  }

  /// Returns the message of one test of a class, by its name, if it failed.
  static Map<String, String> failures(Class<?> tests, String test) {
    return failures(selectMethod(tests, test));
  }

  private static Map<String, String> failures(DiscoverySelector tests) {
    Map<String, String> failed = new TreeMap<>();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(tests).build();
    TestExecutionListener listener =
        new TestExecutionListener() {
          @Override
          public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            result
                .getThrowable()
                .ifPresent(thrown ->
                    failed.put(test.getDisplayName().replace("()", ""), thrown.toString()));
          }
        };
    LauncherFactory.create().execute(request, listener);
    return failed;
  }
}
