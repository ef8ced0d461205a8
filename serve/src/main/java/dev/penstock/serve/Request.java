package dev.penstock.serve;

import dev.penstock.StructuredDataset;
import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonFields.WrongFieldException;
import dev.penstock.internal.document.JsonTree;
import dev.penstock.internal.request.LoadRequest;
import dev.penstock.internal.request.LoadRequest.Dataset;
import dev.penstock.internal.request.LoadRequest.Mixed;
import dev.penstock.internal.request.LoadRequest.Tokenize;
import dev.penstock.internal.request.Opening;
import dev.penstock.internal.request.RequestJson;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.storage.Location;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a client asks to be read, and how to deliver it: a [LoadRequest], the JSON of an `OPEN`
/// frame.
///
/// A client may be on another machine, and another user there. So paths start at the root, as the
/// server's folder is not the client's; nothing comes from the server's environment, and nothing is
/// written to its disk, but for scores by the engine of the client's own machine.
///
/// @param dataset what to read
/// @param options how to deliver it; without an allocator
/// @param memory the file that the client shares; empty where batches are sent
record Request(StructuredDataset dataset, LoaderOptions options, Optional<Path> memory) {
  private static final String SUBJECT = "what to open";

  /// Reads a request. It may open a table, and read the classes that are to be balanced.
  ///
  /// @param keeper opens what others may have open
  /// @param isLocal whether the client is a process of this machine, of the server's user
  /// @throws IllegalArgumentException if an option is wrong
  static Request parse(String text, Opening.Keeper keeper, boolean isLocal) {
    JsonFields fields = JsonTree.read(SUBJECT, text);
    Request request = of(fields, keeper, isLocal);
    fields.requireNoOthers();
    return request;
  }

  /// Takes a request out of a document that may have more in it.
  static Request of(JsonFields fields, Opening.Keeper keeper, boolean isLocal) {
    LoadRequest request = RequestJson.read(fields);
    Optional<Path> memory = Optional.empty();
    if (fields.has("memory")) {
      memory = Optional.of(Path.of(AbsolutePaths.file("memory", fields.text("memory"))));
    }
    requireOfClient(request.dataset());
    if (request.loader().resources().stepLog() != null) {
      throw new WrongFieldException(
          "Cannot read " + SUBJECT + ": loader has an unknown field 'stepLog'.");
    }
    List<Tokenize> tokenizers = request.loader().columns().tokenize();
    if (tokenizers != null && !isLocal) {
      throw new IllegalArgumentException(
          "Cannot tokenise for a client over the network: a fault in the tokenizer's library would"
              + " end the server, for all its clients. Leave tokenize out, and tokenise where you"
              + " train.");
    }
    if (tokenizers != null) {
      tokenizers.forEach(each -> AbsolutePaths.file("tokenizer", each.tokenizer()));
    }
    // The environment is that of whoever started the server, so the rank is never taken from there.
    LoaderOptions usual = LoaderOptions.defaults().rank(Rank.SINGLE);
    return new Request(Opening.dataset(request, keeper), Opening.options(request, usual), memory);
  }

  private static void requireOfClient(Dataset dataset) {
    AbsolutePaths.require(dataset);
    if (dataset.decoding().cache() != null || dataset.decoding().sharedCache() != null) {
      throw new WrongFieldException(
          "Cannot read " + SUBJECT + ": dataset has an unknown field 'cache'.");
    }
    String plan = dataset.decoding().plan();
    if (plan != null && plan.endsWith("/") && new Location(plan).scheme().equals("file")) {
      throw new IllegalArgumentException(
          "Cannot use the folder of plans '"
              + plan
              + "': no files are written on the server's machine for a client. Make a plan with"
              + " 'penstock plan LOCATION --save PLAN', and name it.");
    }
    if (dataset.table() != null && dataset.table().catalog() != null) {
      requireOwnValues(dataset.table().catalog());
    }
    Mixed mixture = dataset.mixture();
    if (mixture != null && mixture.sources() != null) {
      mixture.sources().forEach(source -> requireOfClient(source.dataset()));
    }
    if (mixture != null && mixture.balance() != null) {
      requireOfClient(mixture.balance().dataset());
    }
  }

  /// Refuses values that Iceberg takes from the process's environment and sends to the catalog:
  /// that of the server is not for clients.
  private static void requireOwnValues(Map<String, String> catalog) {
    catalog.forEach((key, value) -> {
      if (value.startsWith("env:")) {
        throw new IllegalArgumentException(
            "Cannot use catalog option "
                + key
                + ": it names a variable of the environment, but the server's is not the client's."
                + " Give the value, as of os.environ.");
      }
    });
  }
}
