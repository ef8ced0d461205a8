package dev.penstock.spi.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelFilesTest {
  @TempDir Path folder;

  private Path file(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, content.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void namesAreComparedWithoutCase() throws IOException {
    assertThat(ModelFiles.isNamed(file("A.ONNX", ""), ".ort", ".onnx")).isTrue();
    assertThat(ModelFiles.isNamed(file("a.onnx.txt", ""), ".ort", ".onnx")).isFalse();
    assertThat(ModelFiles.isNamed(Files.createDirectory(folder.resolve("b.onnx")), ".onnx"))
        .isFalse();
  }

  @Test
  void whatAFileIsIsSaid() throws IOException {
    assertThat(ModelFiles.found(folder)).isEqualTo("a folder");
    assertThat(ModelFiles.found(file("a", ""))).isEqualTo("an empty file");
    assertThat(ModelFiles.found(file("a", "PK\3\4 and more"))).isEqualTo("a zip archive");
    assertThat(ModelFiles.found(file("a", "version https://git-lfs.github.com/spec/v1\noid")))
        .isEqualTo("a pointer of Git LFS ('git lfs pull' fetches the file)");
    assertThat(ModelFiles.found(file("a", "<!DOCTYPE html>\n<html>")))
        .isEqualTo("text that begins with '<!DOCTYPE ht'");
    assertThat(ModelFiles.found(file("a", "a\n"))).isEqualTo("text that begins with 'a '");
    assertThat(ModelFiles.found(file("a", "\0\377b")))
        .isEqualTo("3 bytes that begin with 0x00ff62");
    assertThatThrownBy(() -> ModelFiles.found(folder.resolve("none")))
        .isInstanceOf(IOException.class);
  }

  @Test
  void digestOfAFileIsThatOfItsBytes() throws IOException {
    assertThat(ModelFiles.sha256(file("a", "abc")))
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  @Test
  void digestOfAFolderIsThatOfAllFilesInIt() throws IOException {
    file("x/a.pt", "abc");
    file("x/sub/b.txt", "d");
    String first = ModelFiles.sha256(folder.resolve("x"));
    file("y/sub/b.txt", "d");
    file("y/a.pt", "abc");
    assertThat(ModelFiles.sha256(folder.resolve("y"))).isEqualTo(first);
    file("y/sub/b.txt", "e");
    assertThat(ModelFiles.sha256(folder.resolve("y"))).isNotEqualTo(first);
    file("y/sub/b.txt", "d");
    Files.move(folder.resolve("y/a.pt"), folder.resolve("y/c.pt"));
    assertThat(ModelFiles.sha256(folder.resolve("y"))).isNotEqualTo(first);
  }
}
