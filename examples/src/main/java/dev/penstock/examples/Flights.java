package dev.penstock.examples;

import dev.penstock.StructuredDataset;
import dev.penstock.transform.ColumnBlock;
import dev.penstock.transform.Transform;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The question of the examples: will a flight arrive more than 15 minutes late? What a model is
/// given for it are 32 numbers: the distance in thousands of miles, and which of 24 hours and 7
/// weekdays it departs in.
public final class Flights {
  /// The columns that [#FEATURES] makes, in the order that models know.
  public static final List<String> NAMES = names();

  /// Makes the columns of [#NAMES] of `date` and `distance`, which a flight has before it departs.
  public static final Transform FEATURES = (block, context) -> features(block);

  /// Makes the features, and the label `late` of `delay`: 1 or 0.
  public static final Transform TRAINING = FEATURES.andThen((block, context) -> label(block));

  private static final int LATE_MINUTES = 15;
  private static final int HOURS = 24;
  private static final int WEEKDAYS = 7;
  private static final int WEEKDAY_OF_1970 = 3; // a Thursday; Monday is 0
  private static final long MICROS_PER_HOUR = 3_600_000_000L;

  private Flights() {}

  /// Returns the flights of a folder of Parquet files, with the columns of the bundled ones.
  ///
  /// @param folder the folder
  /// @return the dataset
  public static StructuredDataset in(Path folder) {
    return new StructuredDataset(folder.toString())
        .columns("date", "delay", "distance", "origin", "destination");
  }

  private static List<String> names() {
    List<String> names = new ArrayList<>();
    names.add("thousand_miles");
    for (int hour = 0; hour < HOURS; hour++) {
      names.add("hour_" + hour);
    }
    for (int weekday = 0; weekday < WEEKDAYS; weekday++) {
      names.add("weekday_" + weekday);
    }
    return List.copyOf(names);
  }

  private static ColumnBlock features(ColumnBlock block) {
    long[] dates = block.longs("date"); // microseconds
    float[] miles = block.floats("distance");
    float[][] features = new float[NAMES.size()][block.rowCount()];
    for (int row = 0; row < miles.length; row++) {
      long hours = Math.floorDiv(dates[row], MICROS_PER_HOUR);
      int hour = Math.floorMod(hours, HOURS);
      int weekday = Math.floorMod(Math.floorDiv(hours, HOURS) + WEEKDAY_OF_1970, WEEKDAYS);
      features[0][row] = miles[row] / 1000;
      features[1 + hour][row] = 1;
      features[1 + HOURS + weekday][row] = 1;
    }
    ColumnBlock made = block.without("date", "distance");
    for (int i = 0; i < features.length; i++) {
      made = made.with(NAMES.get(i), features[i]);
    }
    return made;
  }

  private static ColumnBlock label(ColumnBlock block) {
    long[] delays = block.longs("delay");
    long[] late = new long[delays.length];
    for (int row = 0; row < late.length; row++) {
      late[row] = delays[row] > LATE_MINUTES ? 1 : 0;
    }
    return block.with("late", late).without("delay");
  }
}
