package dev.penstock.tck;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StorageContractTest {
  @Test
  void rightStorePasses() {
    MapStorage.fault = StorageFault.NONE;
    assertThat(Launched.failures(MapContract.class)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void mistakeIsFoundAndNamed(StorageFault fault) {
    MapStorage.fault = fault;
    assertThat(Launched.failures(MapContract.class, fault.test))
        .hasEntrySatisfying(fault.test, message -> assertThat(message).contains(fault.message));
  }
}
