package dev.penstock.internal.compose;

import dev.penstock.compose.Balanced;
import dev.penstock.compose.Buckets;
import dev.penstock.compose.Composition;
import dev.penstock.compose.Groups;
import dev.penstock.compose.Packs;
import dev.penstock.compose.SlidingWindows;
import dev.penstock.compose.WeightedDraws;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.compose.Composed.Extent;
import dev.penstock.internal.compose.Composed.RowArrangement;
import dev.penstock.internal.slices.Rows;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.stats.PaddingStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A composition of the columns of a dataset.
///
/// @param facts where to note how much is made of each window, without delivering any; null to
///   deliver it
/// @param costs where to add what the steps of each window cost, without delivering any; null to
///   deliver it
public record Composing(
    Composition how,
    int batchSize,
    Schema input,
    Schema output,
    @Nullable WindowFacts facts,
    @Nullable StepCosts costs) {
  /// Finds the columns of a composition.
  ///
  /// @throws IllegalArgumentException if its column is missing or of a type that it cannot use
  public static Composing of(Composition how, int batchSize, Schema columns) {
    Schema input = columns;
    Schema output = columns;
    switch (how) {
      case Balanced balanced -> {
        Field costs = require(columns, balanced.column(), "balance");
        if (!(costs.type() instanceof DataType.List || isNumber(costs.type()))) {
          throw wrongType("balance", costs, "lists or numbers");
        }
      }
      case Buckets buckets -> requireLists(columns, buckets.column(), "bucket");
      case Groups groups -> requireFlat(columns, groups.column(), "group");
      case WeightedDraws draws -> {
        Field weights = requireFlat(columns, draws.column(), "draw");
        if (!isNumber(weights.type())) {
          throw wrongType("draw", weights, "numbers");
        }
      }
      case SlidingWindows windows -> {
        requireFlat(columns, windows.column(), "group");
        output = sliding(columns, windows);
      }
      case Packs packs -> {
        Field lists = requireLists(columns, packs.column(), "pack");
        DataType numbers = new DataType.List(new DataType.Int(32, true), false);
        input = Schema.of(List.of(lists));
        output =
            Schema.of(
                List.of(
                    new Field(lists.name(), lists.type(), false),
                    new Field(lists.name() + ".segment", numbers, false),
                    new Field(lists.name() + ".position", numbers, false)));
      }
    }
    return new Composing(how, batchSize, input, output, null, null);
  }

  /// Returns the same composition for a pass that only counts: it is given the column that decides,
  /// and notes in `into` how much is made of each window.
  public Composing counting(WindowFacts into) {
    return new Composing(how, batchSize, deciding(), Schema.of(List.of()), into, null);
  }

  /// Returns the same composition for a pass that only adds up what steps cost.
  public Composing measuring(StepCosts into) {
    return new Composing(how, batchSize, deciding(), Schema.of(List.of()), null, into);
  }

  /// Returns the column that decides how much is made of each window.
  public Schema deciding() {
    return Schema.of(List.of(input.find(how.column()).orElseThrow()));
  }

  /// Returns whether rows are cut into batches of their own, so that what has a place is a batch.
  public static boolean isCut(Composition how) {
    return how instanceof Buckets || how instanceof Groups;
  }

  /// Returns whether a composition needs to know where keys begin: groups and sliding windows do.
  public static boolean isOfGroups(Composition how) {
    return how instanceof Groups || how instanceof SlidingWindows;
  }

  /// Returns how many rows one place in the sequence counts for: a full batch where rows are cut
  /// into batches of their own, else 1.
  public int places() {
    return isCut(how) ? batchSize : 1;
  }

  /// Returns the length of the lists that it delivers; 0 where lists are as they were read.
  public int length() {
    return switch (how) {
      case Packs packs -> packs.length();
      case SlidingWindows windows -> windows.length();
      case Balanced _, Buckets _, Groups _, WeightedDraws _ -> 0;
    };
  }

  private static boolean isNumber(DataType type) {
    return type instanceof DataType.Int || type instanceof DataType.Floating;
  }

  private static Field requireLists(Schema columns, String name, String verb) {
    Field field = require(columns, name, verb);
    if (!(field.type() instanceof DataType.List)) {
      throw wrongType(verb, field, "lists");
    }
    return field;
  }

  private static Field requireFlat(Schema columns, String name, String verb) {
    Field field = require(columns, name, verb);
    if (field.type().isNested() || field.type() instanceof DataType.Variant) {
      throw wrongType(verb, field, "single values");
    }
    return field;
  }

  private static Field require(Schema columns, String name, String verb) {
    return columns
        .find(name)
        .orElseThrow(() ->
            new IllegalArgumentException(
                Sentence.of(
                    "Cannot %s by column '%s': it is not among the columns %s.",
                    verb, name, columns.names())));
  }

  private static IllegalArgumentException wrongType(String verb, Field field, String wanted) {
    return new IllegalArgumentException(
        Sentence.of(
            "Cannot %s by column '%s': it is %s. Choose a column of %s.",
            verb, field.name(), field.type(), wanted));
  }

  private static Schema sliding(Schema columns, SlidingWindows how) {
    List<Field> fields = new ArrayList<>();
    for (Field field : columns.fields()) {
      DataType list = new DataType.List(field.type(), field.nullable());
      boolean isKey = field.name().equals(how.column());
      fields.add(isKey ? field : new Field(field.name(), list, false));
    }
    fields.add(new Field(how.column() + ".rows", new DataType.Int(32, true), false));
    return Schema.of(fields);
  }

  /// Composes a window, whose rows are read until the last row of the result is written.
  ///
  /// @param wanted how many rows are wanted, of a composition that gives as many as it is asked for
  /// @throws IOException if a value does not fit
  public Composed compose(Rows window, WindowNumber draw, int wanted) throws IOException {
    WindowFacts into = facts;
    if (costs != null) {
      Extent made = composed(window, draw.measured(costs), wanted).extent();
      return new RowArrangement(window, 0, new int[made.rowCount()], made, PaddingStats.NONE);
    }
    if (into == null) {
      return composed(window, draw, wanted);
    }
    if (window.count() > 0) {
      into.note(draw.number(), fact(window, draw, into.hasAllKeys));
    }
    return new RowArrangement(window, 0, new int[0], Extent.NONE, PaddingStats.NONE);
  }

  private WindowFact fact(Rows window, WindowNumber draw, boolean allKeys) throws IOException {
    return switch (how) {
      case Balanced _ -> new WindowFact.Rows(window.count());
      case Buckets buckets ->
          new WindowFact.Batches(ComposedBuckets.sizes(buckets, batchSize, 0, window));
      case Packs packs ->
          new WindowFact.Rows(
              ComposedPacks.of(packs, batchSize, 0, window, draw).extent().rowCount());
      case Groups _, SlidingWindows _ -> Keys.of(window, 0, how.column()).fact(allKeys);
      case WeightedDraws draws -> {
        double[] sums = ComposedDraws.sums(draws, 0, window);
        yield new WindowFact.Weights(sums[sums.length - 1], sums.length);
      }
    };
  }

  private Composed composed(Rows window, WindowNumber draw, int wanted) throws IOException {
    int column = input.indexOf(how.column());
    int columns = input.size();
    return switch (how) {
      case Balanced balanced ->
          ComposedBalanced.of(balanced, batchSize, column, columns, window, draw);
      case Groups groups -> ComposedGroups.of(groups, batchSize, column, columns, window, draw);
      case SlidingWindows windows -> ComposedSlides.of(windows, column, columns, window, draw);
      case WeightedDraws draws -> ComposedDraws.of(draws, column, columns, window, draw, wanted);
      case Buckets buckets -> ComposedBuckets.of(buckets, batchSize, column, columns, window, draw);
      case Packs packs -> ComposedPacks.of(packs, batchSize, 0, window, draw);
    };
  }
}
