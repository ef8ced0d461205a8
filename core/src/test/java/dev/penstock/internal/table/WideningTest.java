package dev.penstock.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WideningTest {
  private static List<Field> parts(int from, int to, DataType type) {
    return IntStream.range(from, to).mapToObj(i -> new Field("p" + i, type, false)).toList();
  }

  /// With a search for each part it would take hours.
  @Test
  void structsOfManyPartsAreJoined() {
    int parts = 300_000;
    DataType table = new DataType.Struct(parts(0, parts, DataType.int32()));
    DataType file = new DataType.Struct(parts(1, parts + 1, DataType.int64()).reversed());
    List<Widening.Mismatch> mismatches = new ArrayList<>();
    DataType joined =
        new Widening(new Names(false), true, true).join("c", table, file, mismatches::add);
    List<Field> expected = new ArrayList<>();
    expected.add(new Field("p0", DataType.int32(), true));
    expected.addAll(parts(1, parts, DataType.int64()));
    expected.add(new Field("p" + parts, DataType.int64(), true));
    assertThat(joined).isEqualTo(new DataType.Struct(expected));
    assertThat(mismatches).isEmpty();
  }
}
