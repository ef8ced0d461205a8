package dev.penstock.benchmarks;

import java.nio.file.Path;

/// What the command line asks for.
///
/// Unless a number is given, warming up takes at least 30 epochs, and until the compiler is quiet
/// or 30 seconds have passed: on two cores it competes with the workers for about ten. Then at
/// least five epochs count, and two seconds: now and then the compiler takes a core for 0.2
/// seconds, which is all of five epochs.
///
/// @param workload what to deliver
/// @param data the folder of all workloads' data
/// @param threads how many threads work
/// @param warmUps how many epochs do not count, at least
/// @param warmUpSecondsMax how long to wait for the compiler to be quiet; 0 not to wait
/// @param timed how many epochs count, at least
/// @param timedSeconds how long the epochs take that count, at least
record Settings(
    Workload workload,
    Path data,
    int threads,
    int warmUps,
    double warmUpSecondsMax,
    int timed,
    double timedSeconds) {
  /// Reads `WORKLOAD DATA_DIR [threads] [warm-up epochs] [epochs]`.
  ///
  /// @param args the command line; the checksum needs an epoch 2 that does not count
  static Settings of(String[] args) {
    return new Settings(
        Workload.named(args[0]),
        Path.of(args[1]),
        args.length > 2 ? Integer.parseInt(args[2]) : 2,
        args.length > 3 ? Math.max(2, Integer.parseInt(args[3])) : 30,
        args.length > 3 ? 0 : 30,
        args.length > 4 ? Integer.parseInt(args[4]) : 5,
        args.length > 4 ? 0 : 2);
  }
}
