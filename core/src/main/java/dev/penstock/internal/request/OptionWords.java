package dev.penstock.internal.request;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/// What is said of the options, to people: the words of the [OptionTable].
///
/// Of each: the name, `/` and the name in Python if that is another, the name in the command and
/// what stands there for the value; behind `=` a value as Python writes it, and behind `|` the
/// default; the sentence; behind `>` the help of the command where the sentence is not all, in
/// lines that end with a mark.
///
/// @param python the name in Python; empty if it is not there
/// @param command the name in the command; empty if it is not there
/// @param label what stands for the value in the command's help; empty for a flag
/// @param example a value, as Python writes it
/// @param usual the default, as Python writes it or in words; empty if a value is required or
///   nothing is done without one
/// @param sentence what it is
/// @param help the help of the command, in lines
public record OptionWords(
    String python,
    String command,
    String label,
    String example,
    String usual,
    String sentence,
    List<String> help) {
  private static final Map<String, OptionWords> ALL = new HashMap<>();

  private static final String TEXT =
      """
      [Loader]
      dataset = Dataset("data/flights") |
        what to read: a Dataset, a Mixture, or a location.
      batchSize --batch-size N = 512 | 1024
        the rows of a batch.
      workers --workers N|auto = 4 | as many as needed, up to the machine's processors
        threads that decode. In Python 0 is 1.
        > Decoding threads; 0 decodes on the calling thread. auto: as many as the consumer needs, up
        > to the processors this process may use. Default: auto.
      shuffle --shuffle HOW = "window:65536" | False
        False, True (splits are permuted) or Window(65536) (rows, too).
        > none: file order. splits: the splits are permuted, anew each epoch.
        > window:ROWS: the rows, too, within windows of ROWS rows, each from several splits.
        > global: each row may come at any place; needs --cache. torch: the same, in torch's order.
        > Both go over the rows once or twice, as their size demands; global:1 or global:2 chooses.
        > Default: none.
      compose = Buckets("tokens") |
        what is made of the rows of each window: Balanced, Buckets, Packs, Groups, Windows or
        Draws.
      seed --seed S = 1 | 0
        the seed of the shuffle.
      dropLast --drop-last = True | False
        leave out a last batch with too few rows.
      stepsPerEpoch = 1000 |
        end each epoch after this number of batches.
      rank --rank R/W = (0, 8) | as torch.distributed or the launcher says, else (0, 1)
        which of the training processes this is: (rank, world).
        > The number of this training process, from 0, and how many there are: it gets its share of
        > the rows. Default: by the environment, as torchrun, mpirun, srun and others set it, else
        > 0/1.
      rankEnd --rank-end HOW = "pad" | "exact"
        how ranks come to the same number of batches.
        > How ranks come to the same number of batches:
        > exact: every row once, the last batch of some has a row less, or none;
        > pad: the first rows come again; drop: the last rows are left out. Default: exact.
      countMatches = True | True with several ranks, else False
        whether to count the rows that the filter keeps, if there are several ranks, or what
        `compose` makes, so that the number of batches is known.
      memory --memory SIZE = "1GiB" | 512 MiB and 64 MiB more for each worker
        the most memory off the heap that the loader may take.
      shared_memory = "4GiB" | the machine's memory; with `pin_memory` 1 GiB
        the most bytes that batches may take, those that you keep included; `memory` is at most
        this.
      prefetchFactor --prefetch-factor N = 4 | 2
        how many batches are made ahead for each worker.
      timeout --timeout SECONDS = 60 | 0
        the most seconds to wait for a batch: after them it is an error. 0 waits for ever.
      features = {"x": ["a", "b"]} |
        feature matrices: name to columns, as in {"x": ["a", "b"]}.
      nulls --nulls POLICY = "mask" | "nan"
        what stands for nulls.
        > What becomes of nulls in numeric columns:
        > nan: NaN in floating-point columns, an error in others;
        > fill:V: the value V; mask: zero and a mask column; error: an error.
        > Default: nan.
      strings = {"origin": "codes"} | "list"
        how columns of strings are delivered.
      tokenize --tokenize COLUMN:TOKENIZER = Tokenize("text", "tokenizer.json") |
        columns of strings to deliver as lists of token ids, each by a tokenizer.json: a Tokenize, or
        a list of these.
        > Deliver a column of strings as lists of token ids, by the tokenizer.json at this path, such
        > as text:tokenizer.json, repeatable.
      timestamps = "millis" | "stored"
        what dates and timestamps count.
      decimals = "float64" | "object"
        the form of decimals.
      lists = {"tokens": "padded"} | "ragged"; "block" where `compose` makes lists of one length
        the form of lists of numbers.
      splitBytes --split-bytes SIZE = "128MiB" | "128MiB"
        pack row groups into splits of up to this size.
      splitRows --split-rows N = 1_000_000 |
        pack row groups into splits of up to this many rows; a size given beside it does not count.
      fileSplits/ = |
        splits that the client made itself, in the order of their rows.
      output = "numpy" | "torch"
        the form of batches.
      pin_memory = True | False
        register the shared memory with CUDA, so that copies to a GPU need no wait.
      collate_fn = my_function |
        what to make of each batch.
      record = True | False
        keep what happened when, for the timeline of report(): 2 MiB of the engine's heap for each of
        the last ten epochs.
      stepDigests/ = |
        make a digest of the rows of each batch, to be sent with it.
      stepLog/ --step-log FILE =  | no log
        append a line of JSON to this file for each batch that is received, with its epoch, step and
        rank, and a digest of where its rows are stored. Ranks may share the file. penstock audit
        compares it with what should have come.
      step_log = "steps.jsonl" | no log
        append a line of JSON to this file for each batch that is received, with its epoch, step and
        rank, and a digest of where its rows are stored. Ranks may share the file.
      server = "loaders.internal:7200" |
        where a `penstock serve --listen` is, instead of an engine of this machine: "host:port" or
        (host, port).
      token = os.environ["TOKEN"] |
        the server's token.
      ca_file = "ca.pem" | those of the system
        the certificates to trust.
      poisonMemory/ = |
        overwrite the memory of closed batches, to find code that keeps it.
      [Dataset]
      locations LOCATION = "data/flights" |
        a folder (read at any depth), a file, a glob, or several; local paths, `s3://`, `gs://`,
        `az://`, `abfs://`, `http(s)://`. A folder that is a Delta or Iceberg table is read as
        that table, unless `format` or `partitioning` is given.
      columns --columns a,b,c = ["a", "b"] | all
        the columns to read, in that order; dotted names reach into structs, and with brackets,
        `messages[].content`, into structs in lists.
      where --where EXPR = "delay >= 15" | all
        the rows to read: a text such as "delay >= 15 and origin in ('ATL', 'ORD')", an expression
        of pyarrow or pyiceberg, or a list of these, which must all be true.
        > Rows to read, such as "delay >= 15 and origin in ('ATL', 'ORD')": and, or, not;
        > = != < <= > >=, in (...), between A and B, is null, is nan, starts with '...', like '...';
        > columns, numbers, 'text', true, false, x'CAFE', date '2001-02-03',
        > timestamp '2001-02-03T13:45:00Z'.
        > Default: all.
      format --format NAME = "csv" | by extension, then by first bytes
        the format of the files: parquet, csv, json, jsonl, orc, avro or arrow.
      partitioning --partitioning hive = "hive" | folders are just folders
        "hive" reads `key=value` folders as columns: those below a folder, all of a file's path or
        of a glob's.
      storage --storage KEY=VALUE = {"region": "eu-central-1"} | what the environment says
        options of the store, such as endpoint, region or access-key-id.
        > Storage option, repeatable: endpoint, region, access-key-id, account, account-key, ...
        > Lists of processes show VALUE: write @env:NAME for that of an environment variable.
        > Default: what the environment says. Secrets are never printed.
      formatOptions --format-option KEY=VALUE = {"delimiter": ";"} |
        how files are written, such as {"delimiter": ";"} for CSV.
        > How files are written, such as delimiter=; for CSV, or read, such as page-index=ignore for
        > Parquet. May be repeated.
      cast --cast COLUMN=TYPE = {"price": "float64"} |
        column to type, as in {"price": "float64"}.
        > Read a column in another type, such as price=float64, repeatable; * and ? in the column
        > stand for others. Types are as schema prints them: int64, string, date,
        > decimal(10, 2), timestamp[us, UTC]. A value that the type cannot hold is an error.
      missingColumns --missing-columns error|nulls = "nulls" | "error", or what the table says
        what becomes of a column that some file lacks: an error, or nulls in that file's rows.
      onBadFile --on-bad-file fail|skip = "skip" | "fail"
        what becomes of a file whose footer, header or sample cannot be read: an error, or it is
        left out with a warning.
      caseSensitive = False | True
        whether names of columns must match in case.
      plan --plan PLAN = "s3://lake/plans/" | the footers of the files
        a plan of the files, which is read in place of their footers, or a folder of plans, which
        ends in "/": the plan of exactly these files is found there, or made.
        > A plan of the files, as plan --save writes it, which is read in place of their footers,
        > or a folder of plans, which ends in /: the plan of exactly these files is found there, or
        > made. Default: the footers of the files.
      cache/ --cache FOLDER[:SIZE] =  | nothing is kept
        keep decoded columns in this folder of a local disk, and read from there what it has. The
        folder is made if it does not exist. It holds up to SIZE, by default 100GiB; what was not
        used for longest is deleted first. It is for this user alone.
      sharedCache/ --cache-shared =  | a folder or segment of another user, or that others may write, is an error
        several users share the folder of --cache: rows that others have written are taken as they
        are, and the umask says who may read what is written.
      name/table --table NAME = "lake.flights" |
        the name of an Iceberg table in a catalog, such as db.flights, instead of locations.
      catalog --catalog KEY=VALUE = {"type": "rest", "uri": "https://catalog"} |
        the options of that catalog, as Iceberg takes them.
        > Option of the table's catalog, repeatable: type (rest, jdbc, glue or hive), uri,
        > warehouse, token, credential, ..., as Iceberg's catalogs take them. @env:NAME stands for an
        > environment variable. Secrets are never printed.
      metadata --metadata FILE = "lake/flights/metadata/v3.metadata.json" |
        a metadata file of an Iceberg table, or the table's folder, instead of locations.
      version --snapshot ID = 12 | the current one
        the version of a Delta table or the snapshot of an Iceberg table.
      asOf --as-of TIME = "2026-11-01T12:00:00Z" |
        the table as it was at a time, such as 2026-11-01T12:00:00Z; without a zone in UTC.
      ref --ref NAME = "audit" |
        a branch or tag of an Iceberg table.
      mapLocation --map-location FROM=TO = {"s3://old/lake": "/mnt/lake"} |
        where files are that a table's metadata names elsewhere: {from: to}.
        > Where a moved table's files are: locations in its metadata that start with FROM are read
        > below TO. Local files and other hosts that a table names are allowed so, too: FROM=FROM.
        > May be repeated.
      [Tokenize]
      column = "text" |
        a column of strings, or of lists of strings.
      tokenizer = "tokenizer.json" |
        a tokenizer.json of Hugging Face's tokenizers.
      into = "input_ids" | that of the texts
        the name of the column of ids.
      end --tokenize-end TOKEN = "</s>" |
        a token of the tokenizer at the end of every text.
        > A token of the tokenizer at the end of every text, such as <|endoftext|>, for all columns
        > of --tokenize.
      pair = "answer" |
        the column of second texts, which are joined to the first as the tokenizer says.
      specialTokens = False | True
        whether to add what the tokenizer's post-processor adds, such as [CLS] and [SEP].
      truncate = 512 | all
        the most ids of a text, special tokens and the end token among them.
      tooLong = "drop" | "error"
        what becomes of a text of more than 16 MiB: "error", "cut" (into pieces) or "drop" (no ids).
      [Mixture]
      sources --mix WEIGHT=URI = {"data/web": 0.7, "data/books": 0.3} |
        datasets, or locations, and their weights: a share is the weight divided by the sum of
        all. It counts rows, such as documents, not their tokens.
        > Instead of locations: a dataset and its weight, repeatable, such as --mix 0.7=web
        > --mix 0.3=books. Each has its share of the rows, such as documents, not of their tokens.
        > Options for files apply to all.
      weight/ =  |
        the weight of a source.
      stop --mix-stop first|all|repeat = "repeat" | "first"
        when an epoch ends: "first" when a source has ended, "all" when all have, "repeat" when
        every source was read at least once; those that end before begin anew.
      sourceColumn --mix-column NAME = "source" |
        the name of an int32 column to add, with the number of each row's source, from 0.
      weightsFrom = {1_000_000: [0.5, 0.5]} |
        other weights from a row of the epoch on, counted over all ranks: {row: [weight of each
        source]}.
      columns = ["a", "b"] | those of the sources, which must all have them, or missing_columns
        the columns to read, in that order.
      where = "delay >= 15" | all
        the rows of all sources to read, as text. Each source may have a filter of its own.
      [Balance]
      column/ --balance COLUMN =  | as the files have it
        each value of this column has the same share of the rows.
      [Balanced]
      column --balanced [COLUMN] = "tokens" |
        a column of lists, whose lengths are the costs, or of numbers from 0 on.
        > Batches of nearly the same cost on all ranks at each step: by the lengths of the lists in
        > this column, or by its numbers. With --bucket or --pack, by their column.
      quadratic --quadratic Q = 0.001 | 0
        the weight of the square: a list of n elements costs n + n * n times this, as in attention.
      accumulate --accumulate K = 4 | 1
        how many batches make a step of the optimizer: steps have nearly the same cost, and so have
        the batches of a step.
      [Buckets]
      column --bucket COLUMN = "tokens" |
        a column of lists.
        > Rows whose lists in this column have similar lengths come in the same batch; within a
        > window of the shuffle, or 8192 rows.
      tokens --tokens N = 16384 | only the batch size bounds it
        the most elements of a batch, padded to its longest list.
      balanced = True | False
        whether batches cost nearly the same on all ranks at each step.
      quadratic = 0.001 | 0
        if balanced: the weight of the square, as Balanced has it.
      accumulate = 4 | 1
        if balanced: how many batches make a step of the optimizer.
      [Packs]
      column --pack COLUMN:LENGTH = "tokens" |
        a column of lists; other columns are left out.
        > The lists of this column are packed into rows of LENGTH elements; adds COLUMN.segment and
        > COLUMN.position. Other columns are left out.
      length = 2048 |
        the elements of a row.
      mode --pack-mode cut|whole|stream = "whole" | "cut"
        "cut", where a list may go on in the next row, "whole", by best fit within a window, or
        "stream", as "cut" but lists are not told apart.
      tooLong = "drop" | "error"
        with "whole", what becomes of a longer list.
      balanced = True | False
        whether batches cost nearly the same on all ranks at each step.
      quadratic = 0.001 | 0
        if balanced: the weight of the square, as Balanced has it.
      accumulate = 4 | 1
        if balanced: how many batches make a step of the optimizer.
      [Groups]
      column --group-by COLUMN = "query" |
        the key.
        > All rows of a key in one batch. The files have to have all rows of a key together.
      [Windows]
      column = "series" |
        the key.
      length --windows LENGTH:STRIDE = 64 |
        the rows of a window.
        > With --group-by: sliding windows of LENGTH rows over the rows of each key; each begins
        > STRIDE rows after the one before. Adds COLUMN.rows, how many rows are not padding.
      stride = 16 |
        how many rows further the next one begins.
      [Draws]
      column --weights COLUMN = "w" |
        the weights.
        > Rows drawn with replacement, in proportion to their weights.
      numSamples --num-samples N = 100_000 | as many as there are rows
        the draws of an epoch.
      """;

  static {
    String owner = "";
    for (String paragraph : TEXT.strip().split("\n(?! )", -1)) {
      if (paragraph.startsWith("[")) {
        owner = paragraph.replaceAll("[\\[\\]]", "");
      } else {
        String name = paragraph.split("[ /]", 2)[0];
        ALL.put(owner + " " + name, parse(name, paragraph.split("\n *", -1)));
      }
    }
  }

  private static OptionWords parse(String name, String[] lines) {
    String[] halves = lines[0].split(" = ?", 2);
    String[] names = halves[0].split(" ", -1);
    String[] values = halves[1].split("\\|", -1);
    String python =
        names[0].contains("/")
            ? names[0].substring(names[0].indexOf('/') + 1)
            : name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    List<String> help = new ArrayList<>();
    List<String> sentence = new ArrayList<>();
    for (String line : Arrays.asList(lines).subList(1, lines.length)) {
      if (!line.startsWith("> ")) {
        sentence.add(line);
      } else if (help.isEmpty() || help.getLast().matches(".*[.:;]")) {
        help.add(line.substring(2));
      } else { // a sentence goes on
        help.add(help.removeLast() + line.substring(1));
      }
    }
    String said = String.join(" ", sentence);
    String usual = values[1].strip();
    return new OptionWords(
        python,
        names.length > 1 ? names[1] : "",
        names.length > 2 ? names[2] : "",
        values[0].strip(),
        usual,
        said,
        help.isEmpty() ? List.of(help(said, usual)) : help);
  }

  private static String help(String sentence, String usual) {
    String said = Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1);
    boolean isSaid = usual.isEmpty() || usual.equals("False");
    return (said + (isSaid ? "" : " Default: " + usual + ".")).replaceAll("[\"`]", "");
  }

  /// Returns what is said of an option.
  static OptionWords of(String owner, String name) {
    return Objects.requireNonNull(ALL.get(owner + " " + name), name);
  }
}
