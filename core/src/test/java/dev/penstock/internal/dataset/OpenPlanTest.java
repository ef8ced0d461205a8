package dev.penstock.internal.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.internal.planfile.PlanDetails;
import dev.penstock.internal.planfile.PlanFile;
import dev.penstock.internal.planfile.PlannedFile;
import dev.penstock.internal.table.Providers;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenPlanTest {
  private static void list(String location, String file) {
    Origin.Folders folders =
        new Origin.Folders(
            List.of(location),
            Providers.here(),
            Optional.empty(),
            Map.of(),
            false,
            StorageOptions.NONE);
    PlannedFile planned =
        new PlannedFile(new Location(file), 1, "", List.of(), 0, List.of(), List.of());
    PlanFile plan = new PlanFile("0", folders.planned("csv"), List.of(), List.of(planned));
    OpenPlan open = new OpenPlan(new Location("/plan"), plan, PlanDetails.NONE);
    assertThat(open.listing(folders).files()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "/data, /data/a.csv",
    "/data/, /data/in/a.csv",
    "/, /data/a.csv",
    "/data/a.csv, /data/a.csv",
    "/data/*.csv, /data/a.csv",
    "'/data/{a,b}', /data/a/1.csv",
    "'/data/a[1].csv', '/data/a[1].csv'"
  })
  void filesOfTheLocationsAreTaken(String location, String file) {
    list(location, file);
  }

  @ParameterizedTest
  @CsvSource({"/data, /database/a.csv", "/data/a.csv, /data/b.csv", "/data/*.csv, /etc/passwd"})
  void aPlanThatLeadsElsewhereIsRefused(String location, String file) {
    assertThatThrownBy(() -> list(location, file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot use plan '/plan': it has '"
                + file
                + "', which is not in ["
                + location
                + "]. Make a new plan with 'penstock plan LOCATION --save PLAN'.");
  }
}
