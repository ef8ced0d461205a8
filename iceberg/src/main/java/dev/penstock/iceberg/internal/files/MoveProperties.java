package dev.penstock.iceberg.internal.files;

import dev.penstock.spi.catalog.LocationMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A user's map of locations as properties of a FileIO, which are all that reaches it.
public final class MoveProperties {
  /// The names of the properties, each followed by a number.
  private static final String PROPERTY = "penstock.map-location.";

  private MoveProperties() {}

  static LocationMap read(Map<String, String> properties) {
    List<LocationMap.Move> moves = new ArrayList<>();
    for (int i = 0; properties.containsKey(PROPERTY + i); i++) {
      String move = properties.getOrDefault(PROPERTY + i, "");
      int end = move.indexOf('\n');
      moves.add(new LocationMap.Move(move.substring(0, end), move.substring(end + 1)));
    }
    return new LocationMap(moves);
  }

  /// Adds a map to properties.
  public static void write(LocationMap map, Map<String, String> properties) {
    for (int i = 0; i < map.moves().size(); i++) {
      LocationMap.Move move = map.moves().get(i);
      properties.put(PROPERTY + i, move.from() + "\n" + move.to());
    }
  }
}
