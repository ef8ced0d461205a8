import dev.hardwood.HardwoodContext;
import dev.hardwood.InputFile;
import dev.hardwood.reader.ParquetFileReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// The footers of benchmarks/footers.sh, taken in by hardwood on one thread.
final class Hardwood {
  private static final int ROUNDS = 11;
  private static final long ROUND_NANOS = 200_000_000;

  private Hardwood() {}

  public static void main(String[] paths) throws IOException {
    try (HardwoodContext context = HardwoodContext.create(1)) {
      for (String path : paths) {
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(Path.of(path)));
        System.out.printf(
            "%s: hardwood parses in %.3f us a column of a row group%n",
            Path.of(path).getFileName(), micros(file, context));
      }
    }
  }

  /// Returns the median of some rounds, for each column of a row group.
  private static double micros(ByteBuffer file, HardwoodContext context) throws IOException {
    double[] rounds = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      long start = System.nanoTime();
      long chunks = 0;
      do {
        try (ParquetFileReader reader = ParquetFileReader.open(InputFile.of(file), context)) {
          chunks +=
              reader.getFileMetaData().rowGroups().stream()
                  .mapToLong(group -> group.columns().size())
                  .sum();
        }
      } while (System.nanoTime() - start < ROUND_NANOS);
      rounds[i] = (System.nanoTime() - start) / 1e3 / chunks;
    }
    Arrays.sort(rounds);
    return rounds[ROUNDS / 2];
  }
}
