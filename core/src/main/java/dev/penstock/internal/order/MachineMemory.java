package dev.penstock.internal.order;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/// The memory of the machine, or of the container.
final class MachineMemory {
  private MachineMemory() {}

  /// Returns its bytes; [Long#MAX_VALUE] in a Java runtime without the module `jdk.management`.
  static long bytes() {
    try {
      return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    } catch (NoClassDefFoundError e) {
      return Long.MAX_VALUE;
    }
  }
}
