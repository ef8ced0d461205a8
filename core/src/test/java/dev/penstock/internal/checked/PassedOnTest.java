package dev.penstock.internal.checked;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What wraps a format or a store of others answers each question as that does: a default of the
/// interface that it did not override would hide the answer.
class PassedOnTest {
  @ParameterizedTest
  @ValueSource(
      classes = {
        CheckedFormat.class,
        CheckedMetadata.class,
        CheckedReader.class,
        CheckedStorage.class,
        CheckedFile.class
      })
  void everyMethodIsPassedOn(Class<?> wrapper) {
    Class<?> wrapped = wrapper.getInterfaces()[0];
    assertThat(Arrays.stream(wrapped.getMethods()).filter(method -> isInherited(wrapper, method)))
        .isEmpty();
  }

  private static boolean isInherited(Class<?> wrapper, Method method) {
    boolean reads = method.getName().equals("bytes"); // by the checked read()
    return !reads
        && Arrays.stream(wrapper.getDeclaredMethods())
            .noneMatch(own ->
                own.getName().equals(method.getName())
                    && Arrays.equals(own.getParameterTypes(), method.getParameterTypes()));
  }
}
