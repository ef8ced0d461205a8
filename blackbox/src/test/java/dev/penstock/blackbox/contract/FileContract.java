package dev.penstock.blackbox.contract;

import dev.penstock.blackbox.files.TableWriter;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterInfo;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// What files of several formats, or in several stores, all promise.
///
/// Each contract has a static method `files()` that lists them as [ContractFiles]; all tests run
/// with each. A failure prints with which, and `-Dfiles=csv` runs the tests with those alone.
@ParameterizedClass(name = "{0}")
@MethodSource("files")
@ExtendWith(FileContract.Replay.class)
abstract class FileContract {
  @Parameter private ContractFiles files;
  @TempDir Path folder;

  @BeforeParameterizedClassInvocation
  static void open(ContractFiles files) throws IOException {
    files.open();
  }

  /// Returns what writes the files under contract.
  final TableWriter writer() {
    return files.writer();
  }

  /// Adds to a failure with which files it came.
  static final class Replay
      implements TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {
    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure)
        throws Throwable {
      throw named(context, failure);
    }

    @Override
    public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable failure)
        throws Throwable {
      throw named(context, failure);
    }

    private static Throwable named(ExtensionContext context, Throwable failure) {
      Object files = ParameterInfo.get(context).getArguments().get(0);
      failure.addSuppressed(new AssertionError("Replay with \"-Dfiles=" + files + "\""));
      return failure;
    }
  }
}
