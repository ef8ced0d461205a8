package dev.penstock.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.batch.Pinnable;
import dev.penstock.data.Datasets;
import dev.penstock.internal.cuda.FakeCuda;
import dev.penstock.testing.TorchValues;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What is pinned of the result of a user's function, held against what torch's `pin_memory` does.
class NestedPinningTest {
  private final TorchValues torch = TorchValues.read("workers.json");

  NestedPinningTest() throws IOException {}

  /// Memory of the user's.
  private record Own(boolean isPinned) implements Pinnable<Own> {
    @Override
    public Own pinMemory() {
      return new Own(true);
    }
  }

  /// Shown as it was recorded.
  private record Pinned(String text) implements Pinnable<Pinned> {
    @Override
    public Pinned pinMemory() {
      return new Pinned("pinned");
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private record Pair(String name, @Nullable Object part) {}

  private static final Own OWN = new Own(false);

  /// Returns what a loader delivers for what a collator makes.
  private static <B> B delivered(B made, boolean pin) {
    try (FakeCuda _ = new FakeCuda(1);
        var loader =
            DataLoader.of(Datasets.range(1), o -> o.pinMemory(pin).collate((_, _) -> made))) {
      return loader.iterator().next();
    }
  }

  private static void assertPinned(Object made, Object expected) {
    String before = made.toString();
    assertThat(delivered(made, true)).isEqualTo(expected).hasSameClassAs(expected);
    assertThat(made).hasToString(before);
    assertThat(delivered(made, false)).isSameAs(made);
  }

  @Test
  void whatTorchLooksIntoIsLookedInto() {
    Own pinned = new Own(true);
    assertPinned(OWN, pinned);
    assertPinned(Arrays.asList(OWN, null), new ArrayList<>(Arrays.asList(pinned, null)));
    assertPinned(Map.of("a", OWN), new LinkedHashMap<>(Map.of("a", pinned)));
    assertPinned(
        new TreeMap<>(Map.of("a", OWN, "b", 1)), new TreeMap<>(Map.of("a", pinned, "b", 1)));
    assertPinned(new Pair("a", OWN), new Pair("a", pinned));
    assertThat(delivered(new Own[] {OWN, OWN}, true)).containsExactly(pinned, pinned);
    assertThat(torch.get("pin_memory").toString()) // the type, whether pinned, whether the same
        .contains("list=[list, true, false]", "dict=[dict, true, false]", "set=[set, false, true]")
        .contains("tuple=[tuple, true, false]", "namedtuple=[Named, true, false]");
    assertThat(torch.get("pin_memory changes what it is given")).isEqualTo(false);
  }

  @Test
  void nestedPartsArePinnedAsInTorch() {
    Pinned text = new Pinned("own");
    Map<String, Object> made = new LinkedHashMap<>();
    made.put("a", List.of(List.of(text, Map.of("b", text))));
    made.put("c", 1);
    made.put("d", "text");
    assertThat(delivered(made, true)).hasToString(torch.get("pin_memory nested").toString());
  }

  @Test
  void whatHoldsNothingToPinIsDeliveredAsItIs() {
    for (Object made :
        List.of(
            List.of(1, 2),
            Map.of("a", "b"),
            new Pair("a", null),
            new Object[] {"x"},
            new long[] {1},
            Set.of(OWN),
            "text")) {
      assertThat(delivered(made, true)).isSameAs(made);
    }
  }
}
