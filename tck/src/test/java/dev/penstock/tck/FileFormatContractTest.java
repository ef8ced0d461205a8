package dev.penstock.tck;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FileFormatContractTest {
  @Test
  void rightFormatPasses() {
    NumbersFormat.fault = FormatFault.NONE;
    assertThat(Launched.failures(NumbersContract.class)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void mistakeIsFoundAndNamed(FormatFault fault) {
    NumbersFormat.fault = fault;
    assertThat(Launched.failures(NumbersContract.class, fault.test))
        .hasEntrySatisfying(fault.test, message -> assertThat(message).contains(fault.message));
  }
}
