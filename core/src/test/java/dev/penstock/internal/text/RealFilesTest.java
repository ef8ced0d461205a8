package dev.penstock.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Files of text as people publish them, against what other readers have: of CSV pyarrow 26.0.1
/// (`pyarrow.csv.read_csv`), of JSON the json module of Python 3.11.7. Compared are types, nulls,
/// the sum of numbers and of days since 1970, the bytes and the different values of strings.
class RealFilesTest {
  private static final Path FOLDER = Path.of(System.getProperty("penstock.shared", ""), "data");

  @ParameterizedTest
  @CsvSource({
    "text/airports.csv, iata, string, 3376, 0, 10170, 3376",
    "text/airports.csv, name, string, 3376, 0, 54364, 3237",
    "text/airports.csv, city, string, 3376, 0, 29130, 2675",
    "text/airports.csv, state, string, 3376, 0, 6752, 57",
    "text/airports.csv, country, string, 3376, 0, 10176, 5",
    "text/airports.csv, latitude, float64, 3376, 0, 135163.30375977, -1",
    "text/airports.csv, longitude, float64, 3376, 0, -332945.18780815, -1",
    "text/birdstrikes.csv, Airport Name, string, 10000, 0, 206836, 50",
    "text/birdstrikes.csv, Aircraft Make Model, string, 10000, 0, 74274, 225",
    "text/birdstrikes.csv, Effect Amount of damage, string, 10000, 0, 43053, 6",
    "text/birdstrikes.csv, Flight Date, date, 10000, 0, 99404738, -1",
    "text/birdstrikes.csv, Aircraft Airline Operator, string, 10000, 0, 149715, 46",
    "text/birdstrikes.csv, Origin State, string, 10000, 0, 78805, 29",
    "text/birdstrikes.csv, Phase of flight, string, 10000, 0, 85627, 7",
    "text/birdstrikes.csv, Wildlife Size, string, 10000, 0, 54346, 3",
    "text/birdstrikes.csv, Wildlife Species, string, 10000, 0, 189850, 37",
    "text/birdstrikes.csv, Time of day, string, 10000, 0, 37739, 4",
    "text/birdstrikes.csv, Cost Other, int64, 10000, 0, 4242411, -1",
    "text/birdstrikes.csv, Cost Repair, int64, 10000, 0, 36302865, -1",
    "text/birdstrikes.csv, Cost Total $, int64, 10000, 0, 40545276, -1",
    "text/birdstrikes.csv, Speed IAS in knots, int64, 10000, 2836, 1099926, -1",
    "text/weather.csv, location, string, 2922, 0, 21915, 2",
    "text/weather.csv, date, date, 2922, 0, 46956540, -1",
    "text/weather.csv, precipitation, float64, 2922, 0, 8604.6, -1",
    "text/weather.csv, temp_max, float64, 2922, 0, 48999.4, -1",
    "text/weather.csv, temp_min, float64, 2922, 0, 25165.2, -1",
    "text/weather.csv, wind, float64, 2922, 0, 11983.5, -1",
    "text/weather.csv, weather, string, 2922, 0, 10416, 5",
    "text/zipcodes.csv, zip_code, int64, 42049, 0, 2081193421, -1",
    "text/zipcodes.csv, latitude, float64, 42049, 0, 1618853.645685, -1",
    "text/zipcodes.csv, longitude, float64, 42049, 0, -3818380.098809, -1",
    "text/zipcodes.csv, city, string, 42049, 0, 361086, 18931",
    "text/zipcodes.csv, state, string, 42049, 0, 84098, 59",
    "text/zipcodes.csv, county, string, 42049, 0, 312639, 1929",
    "text/penguins.json, Species, string, 344, 0, 2268, 3",
    "text/penguins.json, Island, string, 344, 0, 2096, 3",
    "text/penguins.json, Beak Length (mm), float64, 344, 2, 15021.300000000005, -1",
    "text/penguins.json, Beak Depth (mm), float64, 344, 2, 5865.700000000001, -1",
    "text/penguins.json, Flipper Length (mm), int64, 344, 2, 68713, -1",
    "text/penguins.json, Body Mass (g), int64, 344, 2, 1437000, -1",
    "text/penguins.json, Sex, string, 344, 10, 1663, 3",
    "text/movies.json, Title, string, 3201, 1, 48934, 3176",
    "text/movies.json, US Gross, int64, 3201, 7, 140542660013, -1",
    "text/movies.json, Worldwide Gross, int64, 3201, 7, 272586820052, -1",
    "text/movies.json, US DVD Sales, int64, 3201, 2637, 19684472405, -1",
    "text/movies.json, Production Budget, int64, 3201, 1, 99421348635, -1",
    "text/movies.json, Release Date, string, 3201, 0, 35211, 1600",
    "text/movies.json, MPAA Rating, string, 3201, 605, 7200, 7",
    "text/movies.json, Running Time min, int64, 3201, 1992, 133224, -1",
    "text/movies.json, Distributor, string, 3201, 232, 39041, 174",
    "text/movies.json, Source, string, 3201, 365, 56872, 18",
    "text/movies.json, Major Genre, string, 3201, 275, 22036, 12",
    "text/movies.json, Creative Type, string, 3201, 446, 46060, 9",
    "text/movies.json, Director, string, 3201, 1331, 24208, 550",
    "text/movies.json, Rotten Tomatoes Rating, int64, 3201, 880, 126116, -1",
    "text/movies.json, IMDB Rating, float64, 3201, 213, 18774.999999999985, -1",
    "text/movies.json, IMDB Votes, int64, 3201, 213, 89367030, -1",
    "flights/flights-200k.json, delay, int64, 200000, 0, 1500159, -1",
    "flights/flights-200k.json, distance, int64, 200000, 0, 145847125, -1",
    "flights/flights-200k.json, time, float64, 200000, 0, 2755170.1666665757, -1",
  })
  void columnIsWhatAnotherReaderReads(
      String name, String column, String type, int rows, int nulls, double sum, int distinct) {
    Path path = FOLDER.resolve(name);
    assumeTrue(Files.exists(path), () -> "No file " + path);
    StructuredDataset dataset = new StructuredDataset(path.toString()).columns(column);
    assertThat(dataset.schema().fields().getFirst().type().toString()).isEqualTo(type);
    long seenRows = 0;
    long seenNulls = 0;
    double seenSum = 0;
    Set<Object> seen = new HashSet<>();
    try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(1).output(OutputFormat.MAP))) {
      for (Batch batch : loader) {
        try (batch) {
          for (Object value : (List<?>) batch.column(column)) {
            seenRows++;
            seenNulls += value == null ? 1 : 0;
            if (value != null) {
              seen.add(value);
            }
            seenSum +=
                switch (value) {
                  case null -> 0;
                  case Number number -> number.doubleValue();
                  case LocalDate date -> date.toEpochDay();
                  default -> value.toString().getBytes(StandardCharsets.UTF_8).length;
                };
          }
        }
      }
    }
    assertThat(seenRows).isEqualTo(rows);
    assertThat(seenNulls).isEqualTo(nulls);
    assertThat(seenSum).isCloseTo(sum, org.assertj.core.data.Offset.offset(1e-5));
    if (distinct >= 0) {
      assertThat(seen).hasSize(distinct);
    }
  }

  @Test
  void objectWithAListOfObjectsIsOneNestedRow() {
    Path path = FOLDER.resolve("text/earthquakes.json");
    assumeTrue(Files.exists(path), () -> "No file " + path);
    StructuredDataset dataset = new StructuredDataset(path.toString()).columns("features", "bbox");
    double magnitudes = 0;
    double coordinates = 0;
    long titles = 0;
    try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(1).output(OutputFormat.MAP));
        Batch batch = loader.iterator().next()) {
      assertThat(batch.rowCount()).isEqualTo(1);
      List<?> features = (List<?>) ((List<?>) batch.column("features")).getFirst();
      assertThat(features).hasSize(1707);
      for (Object feature : features) {
        Object properties = part(feature, "properties");
        magnitudes += (Double) part(properties, "mag");
        String title = (String) part(properties, "title");
        titles += title.getBytes(StandardCharsets.UTF_8).length;
        for (Object number : (List<?>) part(part(feature, "geometry"), "coordinates")) {
          coordinates += (Double) number;
        }
      }
      assertThat(((List<?>) batch.column("bbox")).getFirst())
          .hasToString("[-179.6445, -65.8617, -2.79, 178.8275, 83.0422, 573.76]");
    }
    assertThat(magnitudes).isCloseTo(2616.39, org.assertj.core.data.Offset.offset(1e-6));
    assertThat(coordinates)
        .isCloseTo(-97529.53084940012, org.assertj.core.data.Offset.offset(1e-6));
    assertThat(titles).isEqualTo(59915);
  }

  private static Object part(Object struct, String name) {
    return Objects.requireNonNull(((Map<?, ?>) struct).get(name));
  }
}
