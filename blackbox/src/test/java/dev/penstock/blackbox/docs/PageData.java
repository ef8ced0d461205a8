package dev.penstock.blackbox.docs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.blackbox.files.Folder;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// What the pages read, in the folder `data` of the process while a test class runs, and what their
/// code prints.
final class PageData implements BeforeAllCallback, AfterAllCallback {
  /// The sample that a clone has, copied as the README says: 300,000 rows in 8 files.
  private static final Path SAMPLE =
      Snippets.ROOT.resolve("cli/src/main/resources/dev/penstock/cli/demo/flights");

  private static final DataType INT16 = new DataType.Int(16, true);
  private static final DataType INT32 = new DataType.Int(32, true);
  private static final DataType INT64 = new DataType.Int(64, true);
  private static final DataType FLOAT32 = new DataType.Floating(32);
  private static final DataType FLOAT64 = new DataType.Floating(64);
  private static final DataType TEXT = new DataType.Utf8();

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    Path flights = Files.createDirectories(Path.of("data/flights"));
    for (int file = 0; file < 8; file++) {
      String name = "part-" + file + ".parquet";
      Files.copy(SAMPLE.resolve(name), flights.resolve(name));
    }
    Path more = Files.createDirectories(Path.of("data/more"));
    Files.copy(SAMPLE.resolve("part-7.parquet"), more.resolve("part-7.parquet"));
    Path prices = Files.createDirectories(Path.of("data/prices"));
    Files.writeString(prices.resolve("part-0.csv"), "zip;price\n00501;1,5\nNA;2\n");
    table(
        "data/weather",
        List.of(new Field("wind", INT32, true), new Field("gusts", INT32, true)),
        List.of(Arrays.asList(1, null), List.of(2, 30), List.of(3, 40)));
    writeArticles();
    writeSales();
    writeSeries();
    writePictures();
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    try (Stream<Path> paths = Files.walk(Path.of("data"))) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private static void table(String folder, List<Field> fields, List<List<Object>> rows)
      throws IOException {
    new Folder(Path.of("")).write(folder + "/part-0.parquet", Schema.of(fields), rows);
  }

  /// Article `i` has embedding `[i, ..., i]`, and as many tokens 1 as `i` has tens.
  private static void writeArticles() throws IOException {
    DataType source = new DataType.Struct(List.of(new Field("site", TEXT, true)));
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      List<Object> embedding = Collections.nCopies(16, (float) i);
      rows.add(
          List.of(embedding, Collections.nCopies(i / 10, 1), 1L, Map.of("site", "example.org")));
    }
    table(
        "data/articles",
        List.of(
            new Field("embedding", new DataType.List(FLOAT32, false), false),
            new Field("tokens", new DataType.List(INT32, true), false),
            new Field("label", INT64, true),
            new Field("source", source, true)),
        rows);
  }

  /// Two years: the first without currencies and in other types, the second with a name in
  /// capitals.
  private static void writeSales() throws IOException {
    table(
        "data/sales/year=2001",
        List.of(new Field("price", FLOAT32, false), new Field("count_sold", INT16, false)),
        List.of(List.of(0.5f, 10)));
    table(
        "data/sales/year=2002",
        List.of(
            new Field("COUNT_SOLD", INT64, false),
            new Field("price", FLOAT64, false),
            new Field("currency", TEXT, false)),
        List.of(List.of(20L, 2.0, "CHF")));
  }

  /// Ten series of 100 rows of the value 1.
  private static void writeSeries() throws IOException {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      rows.add(List.of((long) i / 100, 1f));
    }
    table(
        "data/series",
        List.of(new Field("series", INT64, false), new Field("value", FLOAT32, false)),
        rows);
  }

  /// Ten pictures of 16 by 16 pixels, red alone.
  private static void writePictures() throws IOException {
    BufferedImage red = new BufferedImage(16, 16, BufferedImage.TYPE_INT_RGB);
    for (int pixel = 0; pixel < 256; pixel++) {
      red.setRGB(pixel % 16, pixel / 16, 0xFF0000);
    }
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    if (!ImageIO.write(red, "png", png)) {
      throw new AssertionError("This Java writes no PNG.");
    }
    Object image = HexFormat.of().formatHex(png.toByteArray());
    table(
        "data/pictures",
        List.of(new Field("image", new DataType.Binary(), false), new Field("label", INT64, true)),
        Collections.nCopies(10, List.of(image, 1L)));
  }

  /// Code of a page.
  interface Code {
    void run() throws IOException;
  }

  /// Runs code, and returns what it prints.
  static String printed(Code code) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(out, true, UTF_8));
    try {
      code.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      System.setOut(before);
    }
    return out.toString(UTF_8);
  }
}
