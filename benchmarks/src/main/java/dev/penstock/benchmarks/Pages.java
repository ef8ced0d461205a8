package dev.penstock.benchmarks;

import com.github.luben.zstd.ZstdDecompressCtx;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;
import org.xerial.snappy.Snappy;

/// The pages of a Parquet file, decompressed and no more: the limit of any reader.
public final class Pages {
  private Pages() {}

  /// Finds the pages of some columns. The file stays open as long as the process.
  ///
  /// @param file the file
  /// @param columns the names of the columns
  /// @param mapped whether the pages are to be found in mapped memory, instead of being read into a
  ///   buffer
  /// @return the row groups in order
  /// @throws IOException if the file cannot be read
  public static List<Group> groups(Path file, List<String> columns, boolean mapped)
      throws IOException {
    FileChannel channel = FileChannel.open(file);
    MemorySegment bytes =
        channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), Arena.global());
    List<Group> groups = new ArrayList<>();
    for (RowGroup group : footer(bytes).row_groups) {
      List<Chunk> chunks = new ArrayList<>();
      for (ColumnChunk chunk : group.columns) {
        ColumnMetaData column = Objects.requireNonNull(chunk.meta_data);
        if (columns.contains(column.path_in_schema.getFirst())) {
          chunks.add(chunk(column, channel, bytes, mapped));
        }
      }
      groups.add(new Group(group.num_rows, chunks));
    }
    return groups;
  }

  private static Chunk chunk(
      ColumnMetaData column, FileChannel channel, MemorySegment file, boolean mapped) {
    long start =
        column.isSetDictionary_page_offset()
            ? Math.min(column.dictionary_page_offset, column.data_page_offset)
            : column.data_page_offset;
    long length = column.total_compressed_size;
    MemorySegment mapping = mapped ? file.asSlice(start, length) : MemorySegment.NULL;
    return new Chunk(channel, start, length, mapping, column.codec);
  }

  private static FileMetaData footer(MemorySegment file) throws IOException {
    long end = file.byteSize() - 8;
    long length = file.get(ValueLayout.JAVA_INT_UNALIGNED, end);
    return Util.readFileMetaData(new SegmentInput(file.asSlice(end - length, length)));
  }

  /// The wanted columns of a row group.
  ///
  /// @param rows how many rows it has
  /// @param chunks the pages of each column
  public record Group(long rows, List<Chunk> chunks) {}

  /// The pages of a column in a row group.
  ///
  /// @param channel the file
  /// @param offset where they start in it
  /// @param length how many bytes they have together
  /// @param mapping the memory they are mapped to, [MemorySegment#NULL] if they are to be read
  /// @param codec how they are compressed
  public record Chunk(
      FileChannel channel,
      long offset,
      long length,
      MemorySegment mapping,
      CompressionCodec codec) {}

  /// One thread's buffers and codecs.
  public static final class Decompressor implements AutoCloseable {
    private static final ThreadLocal<Buffer> INPUTS = ThreadLocal.withInitial(Buffer::new);
    private static final ThreadLocal<Buffer> OUTPUTS = ThreadLocal.withInitial(Buffer::new);

    private final ZstdDecompressCtx zstd = new ZstdDecompressCtx();
    private final Buffer input = INPUTS.get();
    private final Buffer output = OUTPUTS.get();

    /// Makes a decompressor that uses its thread's buffers.
    public Decompressor() {}

    /// Decompresses all pages of a group.
    ///
    /// @param group the group
    /// @return its rows
    /// @throws IOException if a page cannot be read
    public long run(Group group) throws IOException {
      for (Chunk chunk : group.chunks()) {
        pages(chunk);
      }
      return group.rows();
    }

    private void pages(Chunk chunk) throws IOException {
      SegmentInput pages = new SegmentInput(bytes(chunk));
      while (pages.available() > 0) {
        PageHeader header = Util.readPageHeader(pages);
        if (header.type != PageType.DATA_PAGE && header.type != PageType.DICTIONARY_PAGE) {
          throw new IOException("Cannot decompress a page of type " + header.type + ".");
        }
        MemorySegment page = pages.take(header.compressed_page_size);
        if (chunk.codec() == CompressionCodec.UNCOMPRESSED) {
          continue;
        }
        decompress(chunk.codec(), page, output.of(header.uncompressed_page_size));
      }
    }

    private MemorySegment bytes(Chunk chunk) throws IOException {
      if (!chunk.mapping().equals(MemorySegment.NULL)) {
        return chunk.mapping();
      }
      MemorySegment bytes = input.of(chunk.length());
      if (chunk.channel().read(bytes.asByteBuffer(), chunk.offset()) != chunk.length()) {
        throw new IOException("Cannot read a column chunk in one go.");
      }
      return bytes;
    }

    private void decompress(CompressionCodec codec, MemorySegment page, MemorySegment target)
        throws IOException {
      long written =
          switch (codec) {
            case SNAPPY -> Snappy.rawUncompress(page.address(), page.byteSize(), target.address());
            case ZSTD ->
                zstd.decompressDirectByteBuffer(
                    target.asByteBuffer(),
                    0,
                    (int) target.byteSize(),
                    page.asByteBuffer(),
                    0,
                    (int) page.byteSize());
            default -> throw new IOException("Cannot decompress " + codec + ".");
          };
      if (written != target.byteSize()) {
        throw new IOException(
            "Page has " + written + " bytes but its header says " + target.byteSize() + ".");
      }
    }

    @Override
    public void close() {
      zstd.close();
    }
  }

  /// Memory that grows and is never given back.
  private static final class Buffer {
    private MemorySegment memory = MemorySegment.NULL;

    MemorySegment of(long bytes) {
      if (memory.byteSize() < bytes) {
        memory = Arena.global().allocate(bytes, 64);
      }
      return memory.asSlice(0, bytes);
    }
  }

  /// A stream over memory, for the Thrift parser.
  private static final class SegmentInput extends InputStream {
    private final MemorySegment memory;
    private long position;

    SegmentInput(MemorySegment memory) {
      this.memory = memory;
    }

    /// Returns the next bytes without copying them.
    MemorySegment take(long bytes) {
      MemorySegment taken = memory.asSlice(position, bytes);
      position += bytes;
      return taken;
    }

    @Override
    public int available() {
      return (int) Math.min(Integer.MAX_VALUE, memory.byteSize() - position);
    }

    @Override
    public int read() {
      return available() == 0 ? -1 : memory.get(ValueLayout.JAVA_BYTE, position++) & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      int count = Math.min(length, available());
      if (count == 0 && length > 0) {
        return -1;
      }
      MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, position, target, offset, count);
      position += count;
      return count;
    }
  }
}
