package dev.penstock.internal.order;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/// The memory of the machine, or of the container.
final class MachineMemory {
  private MachineMemory() {}

  /// Returns bytes; the most that a number can say in a Java runtime without `jdk.management`.
  static long bytes() {
    try {
      return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    } catch (NoClassDefFoundError e) {
      return Long.MAX_VALUE;
    }
  }
}
