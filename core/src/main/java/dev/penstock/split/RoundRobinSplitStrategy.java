package dev.penstock.split;

import java.util.ArrayList;
import java.util.List;

/// Deals whole files in turn: file `i` to reader `i % count`.
public final class RoundRobinSplitStrategy implements SplitStrategy {
  /// Makes the strategy; it has no settings.
  public RoundRobinSplitStrategy() {}

  @Override
  public List<Split> generate(List<DataFileInfo> files, int count, long epoch) {
    List<List<FileSplit>> dealt = new ArrayList<>();
    for (int reader = 0; reader < count; reader++) {
      dealt.add(new ArrayList<>());
    }
    for (int i = 0; i < files.size(); i++) {
      dealt.get(i % count).add(FileSplit.whole(files.get(i)));
    }
    return dealt.stream().map(Split::new).toList();
  }

  @Override
  public boolean keepsFileOrder() {
    return true;
  }

  @Override
  public String toString() {
    return "round-robin";
  }
}
