package dev.penstock.serve;

import dev.penstock.compose.Buckets;
import dev.penstock.compose.Composition;
import dev.penstock.compose.Packs;
import dev.penstock.compose.Packs.TooLong;
import dev.penstock.compose.WeightedDraws;
import dev.penstock.internal.document.JsonFields;
import java.util.Map;

/// What a client wants made of the rows of each window.
final class ComposeRequest {
  private ComposeRequest() {}

  /// Reads a composition.
  ///
  /// @throws IllegalArgumentException if it is not one
  static Composition read(JsonFields fields) {
    String column = fields.text("column");
    Composition read =
        switch (fields.text("kind")) {
          case "buckets" -> {
            Buckets buckets = Composition.buckets(column);
            yield fields.has("tokens")
                ? buckets.tokens(fields.whole("tokens", 1, Long.MAX_VALUE))
                : buckets;
          }
          case "packs" -> packs(Composition.packs(column, fields.integer("length")), fields);
          case "groups" -> Composition.groups(column);
          case "windows" ->
              Composition.windows(column, fields.integer("length"), fields.integer("stride"));
          case "draws" -> {
            WeightedDraws draws = Composition.draws(column);
            yield fields.has("numSamples")
                ? draws.numSamples(fields.whole("numSamples", 1, Long.MAX_VALUE))
                : draws;
          }
          case String kind ->
              throw new IllegalArgumentException(
                  "Cannot compose to '"
                      + kind
                      + "': expected buckets, packs, groups, windows or draws.");
        };
    fields.requireNoOthers();
    return read;
  }

  private static Packs packs(Packs packs, JsonFields fields) {
    boolean isWhole =
        fields.has("mode") && Request.choice(fields, "mode", Map.of("cut", false, "whole", true));
    TooLong tooLong =
        fields.has("tooLong")
            ? Request.choice(
                fields,
                "tooLong",
                Map.of("error", TooLong.ERROR, "cut", TooLong.CUT, "drop", TooLong.DROP))
            : TooLong.ERROR;
    return isWhole ? packs.whole(tooLong) : packs;
  }
}
