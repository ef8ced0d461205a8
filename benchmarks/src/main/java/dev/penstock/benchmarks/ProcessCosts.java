package dev.penstock.benchmarks;

import java.lang.management.ManagementFactory;

/// What this process has used: what others do on the machine does not count.
final class ProcessCosts {
  private ProcessCosts() {}

  static double processorSeconds() {
    var system =
        ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
    return system.getProcessCpuTime() / 1e9;
  }

  /// Returns the live heap, MB.
  static double heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1e6;
  }
}
