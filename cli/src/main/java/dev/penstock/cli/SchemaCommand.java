package dev.penstock.cli;

import dev.penstock.StructuredDataset;
import dev.penstock.cli.output.JsonWriter;
import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.OutputBuffer;
import dev.penstock.cli.output.Terminal;
import dev.penstock.cli.output.TextTable;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.DataFileInfo;
import dev.penstock.storage.Printable;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `penstock schema`: the columns, and how much there is.
@Command(
    name = "schema",
    mixinStandardHelpOptions = true,
    description = "Shows columns, types and nullability, and counts files, rows and bytes.")
final class SchemaCommand implements Callable<Integer> {
  private final Terminal terminal;

  @ArgGroup(validate = false, heading = ReadOptions.HEADING)
  private ReadOptions read = new ReadOptions();

  @Option(names = "--json", description = "Print one JSON object instead.")
  private boolean json;

  SchemaCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    StructuredDataset dataset = read.dataset();
    Schema schema = dataset.schema();
    List<DataFileInfo> files = dataset.files();
    long rows = files.stream().mapToLong(DataFileInfo::rows).sum();
    long rowGroups = files.stream().mapToLong(file -> file.rowGroups().size()).sum();
    long bytes = files.stream().mapToLong(DataFileInfo::bytes).sum();
    List<String> partitions = dataset.partitionColumns();
    TableVersion version = TableVersion.of(dataset, files);
    if (json) {
      printJson(
          dataset.format(), schema, partitions, files.size(), rows, rowGroups, bytes, version);
    } else {
      TextTable table = new TextTable().left("column").left("type").left("nullable");
      for (Field field : schema.fields()) {
        table.row(field.name(), field.type().toString(), field.nullable() ? "yes" : "no");
      }
      terminal.print(table);
      terminal.print(
          "\n"
              + String.join(
                  ", ",
                  Numbers.count(rows, "row"),
                  Numbers.count(schema.size(), "column"),
                  Numbers.count(files.size(), dataset.format() + " file"),
                  Numbers.count(rowGroups, "row group"),
                  Numbers.bytes(bytes))
              + "\n"
              + (partitions.isEmpty()
                  ? ""
                  : "partitioned by " + Printable.of(String.join(", ", partitions)) + "\n")
              + version.line());
    }
    return Main.DONE;
  }

  private void printJson(
      String format,
      Schema schema,
      List<String> partitions,
      int files,
      long rows,
      long rowGroups,
      long bytes,
      TableVersion version) {
    try (OutputBuffer out = terminal.buffer()) {
      JsonWriter writer = new JsonWriter(out);
      writer
          .beginObject()
          .field("format", format)
          .field("files", files)
          .field("rows", rows)
          .field("rowGroups", rowGroups)
          .field("bytes", bytes)
          .name("columns")
          .beginArray();
      for (Field field : schema.fields()) {
        writer
            .beginObject()
            .field("name", field.name())
            .field("type", field.type().toString())
            .field("nullable", field.nullable());
        if (partitions.contains(field.name())) {
          writer.field("partition", true);
        }
        writer.endObject();
      }
      writer.endArray();
      version.write(writer);
      writer.endObject().endLine();
    }
  }
}
