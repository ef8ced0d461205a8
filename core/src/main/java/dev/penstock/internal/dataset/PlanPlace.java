package dev.penstock.internal.dataset;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.planfile.PlanDetails;
import dev.penstock.internal.planfile.PlanFile;
import dev.penstock.internal.planfile.PlanFileReader;
import dev.penstock.internal.planfile.PlanFileWriter;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.Optional;

/// Where a plan is or will be, or a folder of plans.
record PlanPlace(Location location, Storage store) {
  /// The end of sentences about plans that cannot be used.
  static final String MAKE_ANEW = "Make a new plan with 'penstock plan LOCATION --save PLAN'.";

  boolean isFolder() {
    return location.text().endsWith("/");
  }

  /// Returns the file of the plan with a hash: in a folder, its name says which it is.
  PlanPlace of(String hash) {
    return isFolder()
        ? new PlanPlace(new Location(location.text() + PlanFile.name(hash)), store)
        : this;
  }

  /// Reads the plan, if it is there.
  Optional<OpenPlan> find() throws IOException {
    Optional<FileEntry> entry = store.stat(location);
    if (entry.isEmpty()) {
      return Optional.empty();
    }
    if (entry.get().folder()) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot use plan '%s': it is a folder. Write '%s/' for the plan of these files in it.",
              location, location));
    }
    PlanFileReader reader = PlanFileReader.open(new ReopenedFile(store, entry.get()));
    return Optional.of(new OpenPlan(location, reader.plan(), reader.details()));
  }

  OpenPlan open() throws IOException {
    return find()
        .orElseThrow(() ->
            new IOException(
                Sentence.of(
                    "Cannot read plan '%s': no such file. Make it with 'penstock plan LOCATION"
                        + " --save PLAN', or name a folder of plans, which ends in '/'.",
                    location)));
  }

  /// Writes the plan, unless there is one. Returns whether it was written.
  boolean create(PlanFile plan, PlanDetails details) throws IOException {
    return store.create(location, PlanFileWriter.write(plan, details));
  }
}
