package reads;

import com.sun.net.httpserver.HttpServer;
import dev.penstock.iceberg.IcebergDataset;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/// Finds a table by AWS Glue: by a server in this process that answers every request with the
/// table.
public final class ReadIcebergGlue {
  private ReadIcebergGlue() {}

  public static void main(String[] args) throws Exception {
    System.setProperty("aws.accessKeyId", "AKIDPENSTOCK");
    System.setProperty("aws.secretAccessKey", "secret");
    byte[] answer =
        """
        {"Table": {"DatabaseName": "db", "Name": "t", "TableType": "EXTERNAL_TABLE", "Parameters":
          {"table_type": "ICEBERG", "metadata_location": "%s"}}}
        """
            .formatted(IcebergTable.write(Path.of(args[0]), Long.parseLong(args[1])))
            .getBytes(StandardCharsets.UTF_8);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().add("Content-Type", "application/x-amz-json-1.1");
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    try {
      String uri = "http://127.0.0.1:" + server.getAddress().getPort();
      IcebergDataset table =
          IcebergDataset.table(
              "db.t", Map.of("type", "glue", "glue.endpoint", uri, "client.region", "eu-west-1"));
      System.out.println("glue: " + ReadFile.rows(table.dataset()) + " rows");
    } finally {
      server.stop(0);
    }
  }
}
