package reads;

import dev.penstock.DataLoader;
import dev.penstock.data.Datasets;
import dev.penstock.djl.DjlDataset;
import java.util.List;

/// Makes a loader a data set of DJL. An engine is the user's choice, so none runs here.
public final class ReadDjl {
  private ReadDjl() {}

  record Row(float x, long y) {}

  public static void main(String[] args) {
    try (var loader = DataLoader.of(Datasets.ofList(List.of(new Row(1, 2))))) {
      System.out.println("djl: " + DjlDataset.of(loader, List.of("x"), List.of("y")));
    }
  }
}
