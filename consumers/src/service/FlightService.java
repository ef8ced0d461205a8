// @start region=flight-service
package com.example.flights;

import static dev.penstock.filter.Filter.col;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.io.Writer;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Scores flights: `GET /scores?origin=LAS` answers with a line for each flight from there.
@SpringBootApplication
@RestController
public class FlightService {
  /// Immutable, so that all requests share it, with what it knows of the files.
  private final StructuredDataset flights =
      new StructuredDataset("data/flights").columns("distance");

  public static void main(String[] args) {
    SpringApplication.run(FlightService.class, args);
  }

  /// Writes in the thread of the request. A client that leaves ends the loop by an IOException.
  @GetMapping(path = "/scores", produces = "text/csv")
  public void scores(@RequestParam String origin, Writer out) throws IOException {
    try (DataLoader loader =
        DataLoader.of(
            flights.filter(col("origin").eq(origin)),
            o -> o.batchSize(1024).workers(1).memory("64MiB").rank(new Rank(0, 1)))) {
      for (Batch batch : loader) {
        try (batch) {
          Tensor distance = batch.tensor("distance"); // INT64, shape [rows]
          for (int row = 0; row < batch.rowCount(); row++) {
            long miles = distance.getLong(row);
            out.write(miles + "," + score(miles) + "\n");
          }
        }
      }
    }
  }

  private static double score(long miles) {
    return 1 / (1 + Math.exp(1.4 - miles / 5000.0)); // your model
  }
}
// @end
