package reads;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.LocationProvider;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.mapping.MappingUtil;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.types.Types;

/// A table of one Parquet file in a folder, written by `iceberg-core` alone.
public final class IcebergTable implements TableOperations, FileIO {
  private final Path folder;
  private TableMetadata current;
  private int version;

  private IcebergTable(Path folder) {
    this.folder = folder;
  }

  /// Writes the table.
  ///
  /// @return its metadata file
  public static String write(Path parquet, long rows) throws IOException {
    Path folder = Files.createTempDirectory("iceberg");
    IcebergTable table = new IcebergTable(folder);
    Schema schema = new Schema(Types.NestedField.optional(1, "delay", Types.LongType.get()));
    table.current =
        TableMetadata.newTableMetadata(
            schema,
            PartitionSpec.unpartitioned(),
            folder.toString(),
            java.util.Map.of(
                "schema.name-mapping.default",
                NameMappingParser.toJson(MappingUtil.create(schema))));
    new BaseTable(table, "t")
        .newAppend()
        .appendFile(
            DataFiles.builder(PartitionSpec.unpartitioned())
                .withPath(parquet.toAbsolutePath().toString())
                .withFileSizeInBytes(Files.size(parquet))
                .withRecordCount(rows)
                .build())
        .commit();
    return table.file();
  }

  private String file() {
    return folder.resolve(version + ".metadata.json").toString();
  }

  @Override
  public TableMetadata current() {
    return current;
  }

  @Override
  public TableMetadata refresh() {
    return current;
  }

  @Override
  public void commit(TableMetadata base, TableMetadata metadata) {
    version++;
    TableMetadataParser.write(metadata, newOutputFile(file()));
    current = TableMetadataParser.read(newInputFile(file()));
  }

  @Override
  public FileIO io() {
    return this;
  }

  @Override
  public String metadataFileLocation(String name) {
    return folder.resolve(name).toString();
  }

  @Override
  public LocationProvider locationProvider() {
    return LocationProviders.locationsFor(folder.toString(), current.properties());
  }

  @Override
  public InputFile newInputFile(String path) {
    return org.apache.iceberg.Files.localInput(path);
  }

  @Override
  public OutputFile newOutputFile(String path) {
    return org.apache.iceberg.Files.localOutput(path);
  }

  @Override
  public void deleteFile(String path) {
    path.length(); // the folder goes as a whole
  }
}
