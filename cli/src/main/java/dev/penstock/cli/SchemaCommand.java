package dev.penstock.cli;

import dev.penstock.StructuredDataset;
import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.Terminal;
import dev.penstock.cli.output.TextTable;
import dev.penstock.internal.request.SchemaJson;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.DataFileInfo;
import dev.penstock.storage.Printable;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `penstock schema`: the columns, and how much there is.
@Command(
    name = "schema",
    mixinStandardHelpOptions = true,
    description = "Shows columns, types and nullability, and counts files, rows and bytes.",
    footer = {"penstock schema data/flights", "penstock schema s3://bucket/flights --json"})
final class SchemaCommand extends DataCommand {
  @Option(names = "--json", description = "Print one JSON object instead.")
  private boolean json;

  SchemaCommand(Terminal terminal) {
    super(terminal, RequestOptions.reading());
  }

  @Override
  public Integer call() {
    StructuredDataset dataset = request.dataset();
    warn(dataset);
    Schema schema = dataset.schema();
    List<DataFileInfo> files = dataset.files();
    long rows = files.stream().mapToLong(DataFileInfo::rows).sum();
    long rowGroups = files.stream().mapToLong(file -> file.rowGroups().size()).sum();
    long bytes = files.stream().mapToLong(DataFileInfo::bytes).sum();
    List<String> partitions = dataset.partitionColumns();
    if (json) {
      terminal.printJson(json -> {
        json.writeStartObject()
            .writeStringProperty("format", dataset.format())
            .writeNumberProperty("files", files.size())
            .writeNumberProperty("rows", rows)
            .writeNumberProperty("rowGroups", rowGroups)
            .writeNumberProperty("bytes", bytes);
        SchemaJson.columns(json, dataset);
        SchemaJson.table(json, dataset, files);
        json.writeEndObject();
      });
    } else {
      TextTable table = new TextTable().left("column").left("type").left("nullable");
      for (Field field : schema.fields()) {
        table.row(field.name(), field.type().toString(), field.nullable() ? "yes" : "no");
      }
      terminal.print(
          table.fit(terminal.outColumns())
              + "\n"
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
              + TableVersion.line(dataset, files));
    }
    return Main.DONE;
  }
}
