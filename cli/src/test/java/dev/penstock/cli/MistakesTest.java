package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.RangeServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What newcomers get wrong, and the sentence that each meets: it says what works.
class MistakesTest {
  @TempDir Path folder;

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text, StandardCharsets.ISO_8859_1);
  }

  private void writeFiles() throws IOException {
    write("a.csv", "a,s,d\n1,x,2001-02-03\n");
    write("two/1.csv", "a,b\n1,2\n");
    write("two/2.csv", "a,c\n1,2\n");
    write("days/day=7/1.csv", "a\n1\n");
    write("nan.jsonl", "{\"a\":1}\n{\"a\":NaN}\n");
    write("infinite.jsonl", "{\"a\":-Infinity}\n");
    write("text.csv", "ORC,PAR1\n1,2\n");
    write("orc.csv", "ORC\n\3\0\0\n\6");
    write("avro.jsonl", "Obj\1\2\3");
    try (Stream<Path> files = Files.list(HeldOutFlights.FOLDER)) {
      Files.copy(files.sorted().findFirst().orElseThrow(), folder.resolve("parquet.csv"));
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '^',
      textBlock =
          """
          a.csv --where a>1&&a<3 ; it has '&&' at character 4 but expected 'and'. ["
          a.csv --where (a>1)|(a<3) ; it has '|' at character 6 but expected 'or'. ["
          a.csv --where ~(a>1) ; it has '~' at character 1 but expected 'not'. ["
          a.csv --where !(a>1) ; it has '!' at character 1 but expected 'not'. ["
          a.csv --where df['a']>1 ; it has '[' at character 3 but expected a column's name alone, as in a > 1,
          a.csv --where df.a>1 ; no such column. Did you mean 'a'? Columns are: [a, s, d].
          a.csv --where a==None ; Columns are: [a, s, d]. Write 'is null' to find nulls.
          a.csv --where s=="x" ; no such column. Columns are: [a, s, d]. Text to compare with is in single quotes.
          a.csv --where a===1 ; it has '===' at character 2 but expected one of =, !=, <, <=, > and >=. ["
          a.csv --where d>'2001-02-30' ; Cannot compare column 'd' with '2001-02-30': there is no such day or time. Expected a date such as '2001-02-03'.
          a.csv --where d>2001-02-03 ; it has '-02-03' at character 7 but expected a date in single quotes. ["
          nan.jsonl ; there is 'N' but expected null, as JSON has no NaN and no Infinity. [
          infinite.jsonl ; there is 'I' but expected null, as JSON has no NaN and no Infinity. [
          parquet.csv ; this is a Parquet file. Rename it to end with '.parquet', or name the file itself and add --format parquet. [
          orc.csv ; this is an ORC file. Rename it to end with '.orc', or name the file itself and add --format orc. [
          avro.jsonl ; this is an Avro file. Rename it to end with '.avro', or name the file itself and add --format avro. [
          days --columns day ; a folder is named 'day=7'. Read a folder above it with --partitioning hive.
          days --where day=7 ; a folder is named 'day=7'. Read a folder above it with --partitioning hive.
          days --group-by day ; a folder is named 'day=7'. Read a folder above it with --partitioning hive.
          a.csv --columns a --group-by s ; Cannot use column 's': --columns leaves it out. Name it there, too.
          a.csv --columns a --pack s:8 ; Cannot use column 's': --columns leaves it out. Name it there, too.
          two ; Allow missing columns with --missing-columns nulls, leave the column out of --columns, leave one
          """)
  void eachLeadsToWhatWorks(String line, String sentence) throws IOException {
    writeFiles();
    CommandRun run = CommandRun.ofLine("cat @/" + line, folder.toString());
    assertThat(run.err()).contains(sentence);
    assertThat(run.status()).isIn(1, 2);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          parquet.csv --format parquet --limit 1
          text.csv
          days --partitioning hive --where day=7 --columns day
          a.csv --columns a,s --group-by s
          two --columns a
          two --missing-columns nulls --columns a,b
          """)
  void whatIsSaidWorks(String line) throws IOException {
    writeFiles();
    assertThat(CommandRun.ofLine("cat @/" + line, folder.toString()).printed()).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "s3:/bucket/x, s3://bucket/x",
    "gs:/bucket/*.csv, gs://bucket/*.csv",
    "https:/host/x.csv, https://host/x.csv",
    "file:x, ''",
  })
  void oneSlashBehindTheSchemeIsSeen(String given, String meant) {
    String hint = meant.isEmpty() ? "Check the path" : "Did you mean '" + meant + "'?";
    assertThat(CommandRun.of("cat", given).err()).contains(hint);
  }

  @Test
  void whatAServerDoesNotHaveIsNotSoughtOnThisMachine() throws IOException {
    try (RangeServer server = new RangeServer(folder)) {
      assertThat(CommandRun.of("cat", server.url() + "/none.csv").err())
          .endsWith(
              "/none.csv': no such file or folder. The server has nothing there (404). Check the"
                  + " URL: upper and lower case differ.\n");
    }
  }

  @Test
  void sourcesWithDifferentColumnsSayWhatMixes() throws IOException {
    writeFiles();
    String mix = "cat --mix 1=@/two/1.csv --mix 1=@/two/2.csv";
    assertThat(CommandRun.ofLine(mix, folder.toString()).err())
        .endsWith(
            "Leave it out of --columns, or allow missing columns with --missing-columns nulls.\n");
    for (String works : new String[] {" --columns a", " --missing-columns nulls"}) {
      assertThat(CommandRun.ofLine(mix + works, folder.toString()).lines()).hasSize(2);
    }
  }

  @Test
  void aStateOfFilesThatWereCopiedSaysHowToCopyThem() throws IOException {
    write("data/a.csv", "a\n1\n2\n");
    Path file = folder.resolve("data/a.csv");
    FileTime time = Files.getLastModifiedTime(file);
    String cat = "cat @/data --batch-size 1";
    CommandRun.ofLine(cat + " --stop-after-batches 1 --save-state @/state", folder.toString());
    Files.setLastModifiedTime(file, FileTime.fromMillis(0));
    CommandRun refused = CommandRun.ofLine(cat + " --resume @/state", folder.toString());
    assertThat(refused.err())
        .contains("Copy files with their times, as 'cp -p' and 'rsync -t' do, or give the copies");
    Files.setLastModifiedTime(file, time);
    assertThat(CommandRun.ofLine(cat + " --resume @/state", folder.toString()).lines())
        .containsExactly("{\"a\":2}");
  }
}
