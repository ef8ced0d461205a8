package dev.penstock.internal.table;

import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.TextMetadata;

/// What files of a table have in common.
///
/// @param columns the columns of the files themselves; of text files, as their samples suggest them
/// @param decodingChoices see [FileMetadata#decodingChoices]
/// @param isText whether the types of the columns are a choice, see [TextMetadata]
/// @param mayLackColumns see [TextMetadata#mayLackColumns]
public record FileSchema(
    Schema columns, String decodingChoices, boolean isText, boolean mayLackColumns) {
  public static FileSchema of(FileMetadata metadata) {
    TextMetadata text = metadata instanceof TextMetadata known ? known : null;
    return new FileSchema(
        metadata.schema(),
        metadata.decodingChoices(),
        text != null,
        text != null && text.mayLackColumns());
  }
}
