package dev.penstock.cli.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/// Some elements of a sequence, evenly spread over it: those whose numbers, counted from 0, are
/// multiples of a step. The step doubles whenever the sample is full, so its size is bounded.
final class EvenSample<E> {
  private final int most;
  private List<E> elements = new ArrayList<>();
  private long every = 1;
  private long seen;

  /// Begins with no elements, for a sample of at most `most`.
  EvenSample(int most) {
    this.most = most;
  }

  /// Adds the next element of the sequence.
  void add(E element) {
    if (elements.size() == most && seen % every == 0) {
      List<E> all = elements;
      elements = new ArrayList<>();
      for (int i = 0; i < all.size(); i += 2) {
        elements.add(all.get(i));
      }
      every *= 2;
    }
    if (seen % every == 0) {
      elements.add(element);
    }
    seen++;
  }

  List<E> elements() {
    return elements;
  }

  /// Returns the numbers that the sample's elements have in the sequence, from 0.
  List<Long> numbers() {
    return LongStream.range(0, elements.size()).mapToObj(i -> i * every).toList();
  }
}
