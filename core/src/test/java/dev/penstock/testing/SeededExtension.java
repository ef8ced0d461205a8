package dev.penstock.testing;

import dev.penstock.internal.table.FooterRoom;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.jupiter.params.ParameterInfo;

/// Gives a [Seeded] test its runs and their random numbers.
final class SeededExtension implements TestTemplateInvocationContextProvider {
  private record Run(long seed)
      implements TestTemplateInvocationContext,
          ParameterResolver,
          BeforeEachCallback,
          AfterEachCallback,
          TestExecutionExceptionHandler {
    @Override
    public void beforeEach(ExtensionContext context) {
      Seeded test = context.getRequiredTestMethod().getAnnotation(Seeded.class);
      if (test.dropsFooters() && seed % 2 != 0) {
        FooterRoom.none();
      }
    }

    @Override
    public void afterEach(ExtensionContext context) {
      FooterRoom.usual();
    }

    @Override
    public String getDisplayName(int index) {
      return "seed " + seed;
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(this);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Random.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return new Random(seed);
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure)
        throws Throwable {
      failure.addSuppressed(new AssertionError("Replay with: " + command(context)));
      throw failure;
    }

    /// Returns what runs the test again, alone and with this seed.
    private String command(ExtensionContext context) {
      Path root = Path.of(System.getProperty("penstock.root", "."));
      Path module = root.relativize(Path.of(System.getProperty("basedir", root.toString())));
      return String.join(
          " ",
          "./mvnw" + Ring.profiles() + " -pl " + module,
          "-am test -Dsurefire.failIfNoSpecifiedTests=false",
          "-Dtest=" + context.getRequiredTestClass().getSimpleName(),
          "-Dseed=" + seed);
    }
  }

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return context.getRequiredTestMethod().isAnnotationPresent(Seeded.class);
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    String fixed = System.getProperty("seed");
    if (fixed != null) {
      return Stream.of(new Run(Long.parseLong(fixed)));
    }
    int all = context.getRequiredTestMethod().getAnnotation(Seeded.class).runs();
    int some = Ring.NIGHT.isRunning() ? all : Math.min(all, Math.max(3, all / 10));
    long first = Long.getLong("penstock.seeds.from", 0);
    return LongStream.range(first, first + Math.min(some, most(context))).mapToObj(Run::new);
  }

  /// Looks at the parameters of the class of the test, or of the one that it is nested in.
  private static int most(ExtensionContext context) {
    ParameterInfo parameters = ParameterInfo.get(context);
    return parameters == null
        ? Integer.MAX_VALUE
        : Arrays.stream(parameters.getArguments().toArray())
            .filter(SeedLimit.class::isInstance)
            .mapToInt(limit -> ((SeedLimit) limit).mostSeeds())
            .min()
            .orElse(Integer.MAX_VALUE);
  }
}
