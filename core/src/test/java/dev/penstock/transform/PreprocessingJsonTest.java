package dev.penstock.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testing.Seeded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class PreprocessingJsonTest {
  private static final double INF = Double.POSITIVE_INFINITY;

  @Test
  void textIsTheStatedOne() {
    Preprocessing all =
        Preprocessing.of(
            Standardize.of("a", 0.1, 1e-300),
            MinMax.of("b", -3, 12.5),
            Log1p.of("c \"q\""),
            Clip.of("d", -INF, 2),
            Bucketize.of("e", 0.5, 1),
            OneHot.of("f", "x", "").ignoringUnknown(),
            OneHot.of("f2", 1, -2),
            HashBuckets.of("g", 1000));
    String json =
        "{'format':'penstock-preprocessing','version':1,'transforms':["
            + "{'type':'standardize','column':'a','mean':0.1,'deviation':1.0E-300},"
            + "{'type':'min-max','column':'b','min':-3.0,'max':12.5},"
            + "{'type':'log1p','column':'c \\@q\\@'},"
            + "{'type':'clip','column':'d','min':'-Infinity','max':2.0},"
            + "{'type':'bucketize','column':'e','edges':[0.5,1.0]},"
            + "{'type':'one-hot','column':'f','categories':['x',''],'ignoreUnknown':true},"
            + "{'type':'one-hot','column':'f2','categories':['1','-2'],'ignoreUnknown':false},"
            + "{'type':'hash','column':'g','buckets':1000}]}";
    assertThat(all.toJson()).isEqualTo(json.replace('\'', '"').replace('@', '"'));
    assertThat(Preprocessing.fromJson(all.toJson())).isEqualTo(all);
    assertThat(Preprocessing.fromJson(Preprocessing.of().toJson())).isEqualTo(Preprocessing.of());
  }

  @Seeded(runs = 300)
  void everyNumberAndTextComesBack(Random random) {
    List<ColumnTransform> transforms = new ArrayList<>();
    for (int i = random.nextInt(8); i >= 0; i--) {
      transforms.add(transform(random));
    }
    Preprocessing all = new Preprocessing(transforms);
    // Records compare doubles by their bits.
    assertThat(Preprocessing.fromJson(all.toJson())).isEqualTo(all);
  }

  private static ColumnTransform transform(Random random) {
    String column = text(random);
    double[] two = DoubleStream.of(number(random) / 4, number(random) / 4).sorted().toArray();
    return switch (random.nextInt(7)) {
      case 0 -> Standardize.of(column, number(random), Math.abs(number(random)));
      case 1 -> MinMax.of(column, two[0], two[1]);
      case 2 -> Log1p.of(column);
      case 3 -> Clip.of(column, random.nextBoolean() ? -INF : two[0], two[1]);
      case 4 ->
          Bucketize.of(
              column,
              random.doubles(random.nextInt(20), -1e10, 1e10).sorted().distinct().toArray());
      case 5 -> {
        String[] categories =
            java.util.stream.Stream.generate(() -> text(random))
                .limit(1 + random.nextInt(9))
                .distinct()
                .toArray(String[]::new);
        OneHot oneHot = OneHot.of(column, categories);
        yield random.nextBoolean() ? oneHot : oneHot.ignoringUnknown();
      }
      default -> HashBuckets.of(column, 1 + random.nextInt(Integer.MAX_VALUE));
    };
  }

  private static double number(Random random) {
    while (true) {
      double number =
          switch (random.nextInt(4)) {
            case 0 -> Double.longBitsToDouble(random.nextLong());
            case 1 -> random.nextInt(100) - 50;
            case 2 -> -0.0;
            default -> random.nextGaussian();
          };
      if (Double.isFinite(number)) {
        return number;
      }
    }
  }

  private static String text(Random random) {
    int[] points = random.ints(random.nextInt(12), 0, 0x3000).toArray();
    return (random.nextBoolean() ? "\uD83D\uDE00\"\\\u2028\u0000" : "")
        + new String(points, 0, points.length);
  }

  private static void refused(String json, String message) {
    assertThatThrownBy(() -> Preprocessing.fromJson(json.replace('\'', '"')))
        .as(json)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot read preprocessing: " + message)
        .hasMessageEndingWith(".");
  }

  private static String document(String transforms) {
    return "{'format':'penstock-preprocessing','version':1,'transforms':[" + transforms + "]}";
  }

  @Test
  void whatIsNoPreprocessingIsRefusedInASentence() {
    refused("", "it is empty");
    refused("   ", "it is empty");
    refused("null", "there is a null in it");
    refused("[]", "the document is a list but expected an object");
    refused("3", "the document is 3 but expected an object");
    refused("{", "it ends too early.");
    refused("{'format'", "it ends too early.");
    refused("nonsense", "it is no such JSON at character 0.");
    refused("{'format':x}", "it is no such JSON at character 10.");
    refused("{}", "the document has no field 'format'");
    refused("{'format':'x'}", "its format is 'x' but expected 'penstock-preprocessing'");
    refused(
        "{'format':'penstock-preprocessing','version':2,'more':1}",
        "its version is 2 but this Penstock reads version 1 only");
    refused(
        "{'format':'penstock-preprocessing','version':1.0,'transforms':[]}",
        "field 'version' of the document is 1.0 but expected a whole number of 32 bits");
    refused(document("") + " 1", "there is more text behind it");
    refused(document("").replace("]}", "],'x':1}"), "the document has an unknown field 'x'");
    refused(
        "{'version':1,'version':1,'format':'penstock-preprocessing','transforms':[]}",
        "it is no such JSON at character 22.");
    refused("[".repeat(100_000), "it is no such JSON");
    refused("{'a':".repeat(100_000), "it is no such JSON");
    refused("9".repeat(100_000), "it is no such JSON");
  }

  @Test
  void whatIsNoTransformIsRefusedInASentence() {
    refused(document("5"), "transform 0 is 5 but expected an object");
    refused(document("{}"), "transform 0 has no field 'type'");
    refused(
        document("{'type':'log1p','column':'a'},{'type':'sqrt','column':'a'}"),
        "transform 1 has type 'sqrt' but expected standardize, min-max,");
    refused(document("{'type':'log1p'}"), "transform 0 has no field 'column'");
    refused(
        document("{'type':'log1p','column':4}"),
        "field 'column' of transform 0 is 4 but expected a string");
    refused(
        document("{'type':'log1p','column':'a','base':10}"),
        "transform 0 has an unknown field 'base'");
    String standardize = "{'type':'standardize','column':'a','mean':%s,'deviation':%s}";
    refused(
        document(standardize.formatted("1e400", "1")),
        "field 'mean' of transform 0 is 1e400 but expected a number in the range of a double");
    for (String value : Arrays.asList("'Infinity'", "'NaN'", "true", "[1]")) {
      refused(document(standardize.formatted(value, "1")), "field 'mean' of transform 0 is ");
    }
    refused(document(standardize.formatted("NaN", "1")), "it is no such JSON");
    refused(document(standardize.formatted("null", "1")), "there is a null in it");
    refused(document(standardize.formatted("1", "-1")), "transform 0: The deviation of column 'a'");
    refused(
        document("{'type':'clip','column':'a','min':'infinity','max':2}"),
        "field 'min' of transform 0 is 'infinity' but expected a number");
    refused(
        document("{'type':'bucketize','column':'a','edges':[2,1]}"),
        "transform 0: The edges of column 'a' must rise");
    refused(
        document("{'type':'bucketize','column':'a','edges':['x']}"),
        "field 'edges' of transform 0 is 'x' but expected a number");
    refused(
        document("{'type':'one-hot','column':'a','categories':[1],'ignoreUnknown':false}"),
        "field 'categories' of transform 0 is 1 but expected strings");
    refused(
        document("{'type':'one-hot','column':'a','categories':['1'],'ignoreUnknown':0}"),
        "field 'ignoreUnknown' of transform 0 is 0 but expected true or false");
    refused(
        document("{'type':'hash','column':'a','buckets':3000000000}"),
        "field 'buckets' of transform 0 is 3000000000 but expected a whole number of 32 bits");
  }

  @Seeded(runs = 300)
  void damagedTextIsReadOrRefused(Random random) {
    StringBuilder json =
        new StringBuilder(Preprocessing.of(transform(random), transform(random)).toJson());
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(json.length());
      switch (random.nextInt(3)) {
        case 0 -> json.deleteCharAt(at);
        case 1 -> json.setCharAt(at, "{}[]\",:0.e-x".charAt(random.nextInt(12)));
        default -> json.setLength(Math.max(1, at));
      }
    }
    try {
      Preprocessing read = Preprocessing.fromJson(json.toString());
      assertThat(Preprocessing.fromJson(read.toJson())).isEqualTo(read);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageStartingWith("Cannot read preprocessing: ");
    }
  }
}
