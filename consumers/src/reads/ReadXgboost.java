package reads;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.xgboost.QuantileMatrix;

/// Streams a file into XGBoost.
public final class ReadXgboost {
  private ReadXgboost() {}

  public static void main(String[] args) throws Exception {
    try (DataLoader loader =
        DataLoader.of(
            new StructuredDataset(args[0]).columns("distance", "delay"),
            o -> o.features("x", "distance"))) {
      QuantileMatrix matrix = QuantileMatrix.of(loader, "x", "delay", 16);
      System.out.println("xgboost: " + matrix.rowNum() + " rows");
      matrix.dispose();
    }
  }
}
