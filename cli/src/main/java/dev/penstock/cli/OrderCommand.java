package dev.penstock.cli;

import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.Terminal;
import dev.penstock.sample.DistributedSampler;
import dev.penstock.sample.Generator;
import dev.penstock.sample.RandomSampler;
import dev.penstock.sample.Sampler;
import dev.penstock.sample.SequentialSampler;
import dev.penstock.sample.SubsetRandomSampler;
import dev.penstock.sample.WeightedRandomSampler;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `penstock order`: the rows that a sampler visits, to compare with torch.
@Command(
    name = "order",
    mixinStandardHelpOptions = true,
    description = {
      "Prints the row numbers that a sampler gives: one JSON array a line, one line an epoch.",
      "The orders are those of torch.utils.data's samplers. One generator, seeded once, goes through"
          + " all epochs, as when list(sampler) is called again and again; a DataLoader of torch"
          + " draws one number more before each epoch. The distributed sampler draws each epoch"
          + " from the seed plus the epoch's number."
    },
    footer = {
      "penstock order --rows 10 --sampler random",
      "penstock order --rows 10 --rank 0/2 --seed 42"
    })
final class OrderCommand implements Callable<Integer> {
  private static final Pattern RANK = Pattern.compile("([0-9]{1,9})/([0-9]{1,9})");

  /// The limits for weights and for elements of an array.
  private static final long WEIGHTED_MAX = 1 << 24;

  private static final long SUBSET_MAX = Integer.MAX_VALUE - 8;

  private final Terminal terminal;

  @Option(names = "--rows", paramLabel = "N", required = true, description = "How many rows.")
  private long rows;

  @Option(
      names = "--sampler",
      paramLabel = "NAME",
      description =
          "sequential, random, weighted, distributed or subset. Default: ${DEFAULT-VALUE}.")
  private String name = "sequential";

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Seed of the generator. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--epochs",
      paramLabel = "N",
      description = "How many epochs. Default: ${DEFAULT-VALUE}.")
  private long epochs = 1;

  @Option(
      names = "--replacement",
      negatable = true,
      description =
          "random, weighted: whether a row may come again in an epoch. Default, as in torch: random"
              + " no, weighted yes.")
  private @Nullable Boolean replacement;

  @Option(
      names = "--num-samples",
      paramLabel = "N",
      description = "random, weighted: how many row numbers an epoch has. Default: --rows.")
  private @Nullable Long numSamples;

  @Option(
      names = "--weights",
      paramLabel = "w,w,...",
      split = ",",
      hideParamSyntax = true,
      description = "weighted: the weight of each row. Default: 1 for row 0, 2 for row 1, ...")
  private double @Nullable [] weights;

  @Option(
      names = "--indices",
      paramLabel = "i,i,...",
      split = ",",
      hideParamSyntax = true,
      description = "subset: the rows to choose from. Default: all.")
  private long @Nullable [] indices;

  @Option(
      names = "--rank",
      paramLabel = "R/W",
      description = "distributed: which rank of how many. Default: 0/1.")
  private @Nullable String rank;

  @Option(
      names = "--drop-last",
      description = "distributed: leave out rows, instead of giving some twice, for equal shares.")
  private boolean dropLast;

  OrderCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    UsageException.requireAtLeast("--epochs", epochs, 0);
    Sampler sampler = UsageException.blame(this::sampler);
    for (long epoch = 0; epoch < epochs; epoch++) {
      sampler.setEpoch(epoch);
      PrimitiveIterator.OfLong order = UsageException.blame(sampler::iterator);
      UsageException.blame(order::hasNext); // invalid draws are refused before anything is printed
      terminal.printJson(json -> {
        json.writeStartArray();
        while (order.hasNext()) {
          json.writeNumber(order.nextLong());
        }
        json.writeEndArray();
      });
    }
    return Main.DONE;
  }

  private Sampler sampler() {
    requireThatOptionsApply();
    Generator generator = new Generator(seed);
    return switch (name) {
      case "sequential" -> new SequentialSampler(rows);
      case "random" -> random(generator);
      case "weighted" -> weighted(generator);
      case "distributed" -> distributed();
      case "subset" -> subset(generator);
      default ->
          throw new UsageException(
              "Cannot use '"
                  + name
                  + "' as a sampler: expected sequential, random, weighted, distributed or"
                  + " subset.");
    };
  }

  private Sampler random(Generator generator) {
    RandomSampler sampler = new RandomSampler(rows).withGenerator(generator);
    sampler = numSamples == null ? sampler : sampler.withNumSamples(numSamples);
    return replacement != null && replacement ? sampler.withReplacement() : sampler;
  }

  private Sampler weighted(Generator generator) {
    double[] each = weights;
    if (each == null) {
      requireAtMost(WEIGHTED_MAX);
      each = LongStream.rangeClosed(1, rows).asDoubleStream().toArray();
    } else if (each.length != rows) {
      throw new UsageException(
          "Cannot use --weights: it has "
              + Numbers.count(each.length, "weight")
              + " but --rows is "
              + rows
              + ". Give one for each row.");
    }
    long samples = numSamples == null ? rows : numSamples;
    WeightedRandomSampler sampler =
        new WeightedRandomSampler(each, samples).withGenerator(generator);
    return replacement == null || replacement ? sampler : sampler.withoutReplacement();
  }

  private Sampler distributed() {
    Matcher parts = RANK.matcher(rank == null ? "0/1" : rank);
    if (!parts.matches()) {
      throw new UsageException(
          "Cannot use '" + rank + "' as a rank: expected R/W, for example 0/4.");
    }
    DistributedSampler sampler =
        new DistributedSampler(
                rows, Integer.parseInt(parts.group(2)), Integer.parseInt(parts.group(1)))
            .withSeed(seed);
    return dropLast ? sampler.withDropLast() : sampler;
  }

  private Sampler subset(Generator generator) {
    long[] chosen = indices;
    if (chosen == null) {
      requireAtMost(SUBSET_MAX);
      chosen = LongStream.range(0, rows).toArray();
    }
    for (long index : chosen) {
      if (index < 0 || index >= rows) {
        throw new UsageException(
            "Cannot use --indices: row " + index + " is not in [0, " + rows + ").");
      }
    }
    return new SubsetRandomSampler(chosen).withGenerator(generator);
  }

  private void requireAtMost(long most) {
    if (rows > most) {
      throw new UsageException(
          "--rows must be at most " + most + " with --sampler " + name + ", got " + rows + ".");
    }
  }

  /// Refuses an option that the sampler would silently ignore.
  private void requireThatOptionsApply() {
    UsageException.requireAtLeast("--rows", rows, 0);
    requireSampler("--replacement", replacement != null, "random", "weighted");
    requireSampler("--num-samples", numSamples != null, "random", "weighted");
    requireSampler("--weights", weights != null, "weighted");
    requireSampler("--indices", indices != null, "subset");
    requireSampler("--rank", rank != null, "distributed");
    requireSampler("--drop-last", dropLast, "distributed");
  }

  private void requireSampler(String option, boolean given, String... samplers) {
    if (given && !List.of(samplers).contains(name)) {
      throw new UsageException(
          "Cannot use %s with --sampler %s: it is for %s."
              .formatted(option, name, String.join(" and ", samplers)));
    }
  }
}
