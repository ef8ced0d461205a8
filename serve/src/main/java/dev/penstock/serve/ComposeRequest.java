package dev.penstock.serve;

import static dev.penstock.serve.ClientOptions.BUCKETS_COLUMN;
import static dev.penstock.serve.ClientOptions.DRAWS_COLUMN;
import static dev.penstock.serve.ClientOptions.GROUPS_COLUMN;
import static dev.penstock.serve.ClientOptions.MODE;
import static dev.penstock.serve.ClientOptions.NUM_SAMPLES;
import static dev.penstock.serve.ClientOptions.PACKS_COLUMN;
import static dev.penstock.serve.ClientOptions.PACKS_LENGTH;
import static dev.penstock.serve.ClientOptions.STRIDE;
import static dev.penstock.serve.ClientOptions.TOKENS;
import static dev.penstock.serve.ClientOptions.TOO_LONG;
import static dev.penstock.serve.ClientOptions.WINDOWS_COLUMN;
import static dev.penstock.serve.ClientOptions.WINDOWS_LENGTH;

import dev.penstock.compose.Buckets;
import dev.penstock.compose.Composition;
import dev.penstock.compose.Packs;
import dev.penstock.compose.Packs.TooLong;
import dev.penstock.compose.WeightedDraws;
import dev.penstock.internal.document.JsonFields;

/// What a client wants made of the rows of each window.
final class ComposeRequest {
  private ComposeRequest() {}

  /// Reads a composition.
  ///
  /// @throws IllegalArgumentException if it is not one
  static Composition read(JsonFields fields) {
    Composition read =
        switch (fields.text("kind")) {
          case "buckets" ->
              TOKENS.set(Composition.buckets(BUCKETS_COLUMN.of(fields)), fields, Buckets::tokens);
          case "packs" -> packs(fields);
          case "groups" -> Composition.groups(GROUPS_COLUMN.of(fields));
          case "windows" ->
              Composition.windows(
                  WINDOWS_COLUMN.of(fields), WINDOWS_LENGTH.of(fields), STRIDE.of(fields));
          case "draws" ->
              NUM_SAMPLES.set(
                  Composition.draws(DRAWS_COLUMN.of(fields)), fields, WeightedDraws::numSamples);
          case String kind ->
              throw new IllegalArgumentException(
                  "Cannot compose to '"
                      + kind
                      + "': expected buckets, packs, groups, windows or draws.");
        };
    fields.requireNoOthers();
    return read;
  }

  private static Packs packs(JsonFields fields) {
    Packs packs = Composition.packs(PACKS_COLUMN.of(fields), PACKS_LENGTH.of(fields));
    TooLong tooLong = TOO_LONG.of(fields, TooLong.ERROR);
    return MODE.of(fields, false) ? packs.whole(tooLong) : packs;
  }
}
