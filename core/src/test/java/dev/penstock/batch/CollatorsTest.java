package dev.penstock.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testing.TestPieces;
import dev.penstock.testing.TorchValues;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The standard collator beside torch's `default_collate`: every recorded answer.
class CollatorsTest {
  record P(long x, double y) {}

  /// A tensor or a string in the text of a recorded answer.
  private static final Pattern PART = Pattern.compile("tensor\\([^)]*\\):\\w+=[^']*|\"b?'\\w'\"");

  /// The rows of the recorded calls, in Java's types: int is `long`, float `double`, and numpy's
  /// are those of their size.
  private static final Map<String, List<?>> ROWS = new LinkedHashMap<>();

  /// What torch collates and Penstock refuses, because the first row's type does not hold it.
  private static final Set<String> REFUSED_HERE =
      Set.of("[1, 2.5]", "[True, 2]", "[{'a': 1}, {'a': 2, 'z': 3}]");

  static {
    ROWS.put("[1, 2]", List.of(1L, 2L));
    ROWS.put("[1.0, 2.0]", List.of(1.0, 2.0));
    ROWS.put("[1, 2.5]", List.of(1L, 2.5));
    ROWS.put("[1.5, 2]", List.of(1.5, 2L));
    ROWS.put("[True, False]", List.of(true, false));
    ROWS.put("[True, 2]", List.of(true, 2L));
    ROWS.put("['a', 'b']", List.of("a", "b"));
    ROWS.put("[b'a', b'b']", List.of(new byte[] {'a'}, new byte[] {'b'}));
    ROWS.put("[None, None]", Arrays.asList(null, null));
    ROWS.put("[(1, 'a'), (2, 'b')]", List.of(new Object[] {1L, "a"}, new Object[] {2L, "b"}));
    ROWS.put("[[1, 2], [3, 4]]", List.of(List.of(1L, 2L), List.of(3L, 4L)));
    ROWS.put("[[1, 2], [3]]", List.of(List.of(1L, 2L), List.of(3L)));
    ROWS.put(
        "[{'a': 1, 'b': 'x'}, {'a': 2, 'b': 'y'}]", List.of(map(1L, "b", "x"), map(2L, "b", "y")));
    ROWS.put("[{'a': 1}, {'a': 2, 'z': 3}]", List.of(Map.of("a", 1L), map(2L, "z", 3L)));
    ROWS.put("[{'a': 1, 'z': 3}, {'a': 2}]", List.of(map(1L, "z", 3L), Map.of("a", 2L)));
    ROWS.put("[P(x=1, y=2.0), P(x=3, y=4.0)]", List.of(new P(1, 2), new P(3, 4)));
    ROWS.put("[np.float32(1.0), np.float32(2.0)]", List.of(1f, 2f));
    ROWS.put("[np.int16(1), np.int16(2)]", List.of((short) 1, (short) 2));
    ROWS.put(
        "[array([0., 0.], dtype=float32), array([0., 0.], dtype=float32)]",
        List.of(new float[2], new float[2]));
    ROWS.put("[array([0., 0.]), array([0., 0., 0.])]", List.of(new double[2], new double[3]));
    ROWS.put(
        "[array('s', dtype='<U1'), array('s', dtype='<U1')]",
        List.of(new char[] {'s'}, new char[] {'s'}));
    Tensor one = Tensor.of(new int[] {1}).row(0);
    ROWS.put("[tensor(1, dtype=torch.int32), tensor(1, dtype=torch.int32)]", List.of(one, one));
    Tensor block = Tensor.of(new float[6], 2, 3);
    String blockText = "tensor([[0., 0., 0.],\n        [0., 0., 0.]])";
    ROWS.put("[" + blockText + ", " + blockText + "]", List.of(block, block));
    ROWS.put(
        "[tensor([0., 0.]), tensor([0., 0.], dtype=torch.float64)]",
        List.of(Tensor.of(new float[2]), Tensor.of(new double[2])));
    ROWS.put("[1099511627776, 1]", List.of(1099511627776L, 1L));
    ROWS.put("[9223372036854775808, 1]", List.of(BigInteger.ONE.shiftLeft(63), 1L));
    ROWS.put("[]", List.of());
    ROWS.put("[{1, 2}]", List.of(Set.of(1L, 2L)));
    ROWS.put("[[], []]", List.of(List.of(), List.of()));
    ROWS.put("[()]", Arrays.asList(new Object[][] {{}}));
    ROWS.put("[np.True_]", List.of(true));
    ROWS.put("[(1+2j), 3j]", List.of(new StringBuilder("1+2j"), new StringBuilder("3j")));
    ROWS.put("[range(0, 2), range(0, 2)]", List.of(List.of(0L, 1L), List.of(0L, 1L)));
    ROWS.put(
        "[np.datetime64('2024-01-01'), np.datetime64('2024-01-01')]",
        List.of(LocalDate.EPOCH, LocalDate.EPOCH));
  }

  private static Map<String, Object> map(long a, String name, Object value) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("a", a);
    map.put(name, value);
    return map;
  }

  private final TestPieces memory = new TestPieces();

  @Test
  void answersAreTorchs() throws IOException {
    TorchValues torch = TorchValues.read("semantics.json");
    Set<String> calls = new TreeSet<>(torch.names());
    calls.removeIf(call -> !call.startsWith("default_collate("));
    assertThat(calls).hasSameSizeAs(ROWS.keySet());
    for (String call : calls) {
      String rowsText = call.substring("default_collate(".length(), call.length() - 1);
      List<?> rows = Objects.requireNonNull(ROWS.get(rowsText), call);
      String recorded = (String) torch.get(call);
      if (recorded.contains("Error: ") || REFUSED_HERE.contains(rowsText)) {
        assertThatThrownBy(() -> collate(rows))
            .as(call)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith("Cannot ");
      } else {
        assertThat(collate(rows)).as(call).isEqualTo(parts(recorded));
      }
    }
    assertThat(memory.held()).isZero();
  }

  private static List<String> parts(String recorded) {
    return PART.matcher(recorded).results().map(MatchResult::group).toList();
  }

  /// Returns the tensors and strings of the batch, as torch's were recorded.
  private List<String> collate(List<?> rows) {
    List<String> parts = new ArrayList<>();
    try (BatchBuilder builder = new BatchBuilder(memory);
        Batch batch = Collators.<Object>standard().collate(new ArrayList<>(rows), builder)) {
      for (String name : batch.names()) {
        if (batch.column(name) instanceof Tensor tensor) {
          parts.add(text(tensor));
        } else {
          batch.list(name).forEach(value -> parts.add(text(value)));
        }
      }
    }
    return parts;
  }

  private static String text(Object value) {
    return value instanceof byte[] bytes
        ? "\"b'" + new String(bytes, StandardCharsets.UTF_8) + "'\""
        : "\"'" + value + "'\"";
  }

  private static String text(Tensor tensor) {
    String shape = Arrays.toString(tensor.shape().dims());
    shape = shape.substring(1, shape.length() - 1) + (tensor.shape().rank() == 1 ? "," : "");
    String dtype = tensor.dtype().name().toLowerCase(Locale.ROOT);
    return "tensor(" + shape + "):" + dtype + "=" + elements(tensor);
  }

  private static String elements(Tensor tensor) {
    if (tensor.shape().rank() > 0) {
      List<String> rows = new ArrayList<>();
      for (long row = 0; row < tensor.shape().dim(0); row++) {
        rows.add(elements(tensor.row(row)));
      }
      return rows.toString();
    }
    if (tensor.dtype() == DType.BOOL) {
      return tensor.getBoolean(0) ? "True" : "False";
    }
    return tensor.dtype().isFloating() ? "" + tensor.getDouble(0) : "" + tensor.getLong(0);
  }

  @Test
  void typesAreStackedAsTorchDoes() throws IOException {
    Map<?, ?> recorded = (Map<?, ?>) TorchValues.read("datasets.json").get("stacked");
    assertThat(recorded).hasSize(DType.values().length);
    for (DType a : DType.values()) {
      for (DType b : DType.values()) {
        Map<?, ?> row = (Map<?, ?>) Objects.requireNonNull(recorded.get(a.name()));
        DType both = NumberColumns.promoted(a, b);
        assertThat(both == null ? "refused" : both.name()).isEqualTo(row.get(b.name()));
      }
    }
  }
}
