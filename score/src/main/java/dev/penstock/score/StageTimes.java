package dev.penstock.score;

import java.util.concurrent.atomic.LongAdder;

/// Where the threads of a run spent their time, in nanoseconds, all added up.
final class StageTimes {
  final LongAdder reading = new LongAdder();
  final LongAdder scoring = new LongAdder();
  final LongAdder encoding = new LongAdder();
  final LongAdder storing = new LongAdder();

  void addReading(long began) {
    reading.add(System.nanoTime() - began);
  }

  void addScoring(long began) {
    scoring.add(System.nanoTime() - began);
  }

  void addEncoding(long began) {
    encoding.add(System.nanoTime() - began);
  }

  void addStoring(long began) {
    storing.add(System.nanoTime() - began);
  }
}
