package dev.penstock.iceberg.hive;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.apache.hadoop.hive.metastore.api.NoSuchObjectException;
import org.apache.hadoop.hive.metastore.api.StorageDescriptor;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.metastore.api.ThriftHiveMetastore;
import org.apache.thrift.server.TServer;
import org.apache.thrift.server.TThreadPoolServer;
import org.apache.thrift.transport.TServerSocket;
import org.apache.thrift.transport.TTransportException;

/// As much of a Hive metastore as reading a table takes, behind Hive's own Thrift interface.
final class FakeMetastore implements AutoCloseable {
  private final Map<String, Map<String, String>> tables = new ConcurrentHashMap<>();
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final TServerSocket socket;
  private final TServer server;
  private final String uri;

  FakeMetastore() throws TTransportException {
    socket = new TServerSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    uri = "thrift://127.0.0.1:" + socket.getServerSocket().getLocalPort();
    ThriftHiveMetastore.Iface answers =
        (ThriftHiveMetastore.Iface)
            Proxy.newProxyInstance(
                FakeMetastore.class.getClassLoader(),
                new Class<?>[] {ThriftHiveMetastore.Iface.class},
                (_, method, arguments) -> answer(method, arguments));
    server =
        new TThreadPoolServer(
            new TThreadPoolServer.Args(socket)
                .processor(new ThriftHiveMetastore.Processor<>(answers))
                .executorService(Executors.newVirtualThreadPerTaskExecutor())
                .stopTimeoutVal(0)); // clients stay connected
    Thread.ofVirtual().name("fake-metastore").start(server::serve);
  }

  /// Puts a table into database `db`, or changes it.
  void put(String name, Map<String, String> parameters) {
    tables.put(name, parameters);
  }

  String uri() {
    return uri;
  }

  /// Returns the calls that came.
  List<String> calls() {
    return calls;
  }

  private Object answer(Method method, Object[] arguments) throws NoSuchObjectException {
    calls.add(method.getName());
    return switch (method.getName()) {
      case "set_ugi" -> List.of();
      case "get_table" -> table((String) arguments[0], (String) arguments[1]);
      default -> throw new UnsupportedOperationException(method.getName());
    };
  }

  private Table table(String database, String name) throws NoSuchObjectException {
    Map<String, String> parameters = tables.get(name);
    if (!database.equals("db") || parameters == null) {
      throw new NoSuchObjectException(database + "." + name + " table not found");
    }
    Table table = new Table();
    table.setDbName(database);
    table.setTableName(name);
    table.setTableType("EXTERNAL_TABLE");
    table.setSd(new StorageDescriptor());
    table.setPartitionKeys(List.of());
    table.setParameters(parameters);
    return table;
  }

  @Override
  public void close() {
    server.stop();
    socket.close();
  }
}
