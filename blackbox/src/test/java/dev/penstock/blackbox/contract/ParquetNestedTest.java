package dev.penstock.blackbox.contract;

import dev.penstock.StructuredDataset;
import dev.penstock.batch.OutputFormat;
import dev.penstock.options.LoaderOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetNestedTest {
  @TempDir Path folder;

  @Test
  void textInAListThatIsNoUtf8IsAnErrorOfItsRow() throws IOException {
    Path file = folder.resolve("part-0.parquet");
    MessageType message =
        MessageTypeParser.parseMessageType(
            "message m { required group c (LIST) { repeated group list { required binary element"
                + " (STRING); } } }");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withType(message)
            .withConf(new PlainParquetConfiguration())
            .build()) {
      for (int row = 0; row < 30; row++) {
        Group group = new SimpleGroup(message);
        Group list = group.addGroup("c");
        byte[] text = {(byte) 'a', (byte) (row == 17 ? 0xff : 'b')};
        list.addGroup(0).add(0, "first");
        list.addGroup(0).add(0, Binary.fromConstantByteArray(text));
        writer.write(group);
      }
    }
    for (OutputFormat output : List.of(OutputFormat.TENSOR, OutputFormat.MAP)) {
      Failure.of(
              new StructuredDataset(file.toString()),
              LoaderOptions.defaults().workers(1).batchSize(4).output(output))
          .hasMessage(
              "Corrupt text in column 'c': the value is not UTF-8. Rewrite the column as binary, or"
                  + " leave it out. ["
                  + file
                  + ", row 17]");
    }
  }
}
