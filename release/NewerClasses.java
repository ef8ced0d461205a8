import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.ConstantPoolSharingOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/// Copies a jar, and makes its classes for Java 5 and older ones for Java 8.
///
/// ```
/// java release/NewerClasses.java FROM.jar TO.jar
/// ```
///
/// An ahead-of-time cache of Java 25 holds no classes older than Java 6, because those have no
/// stack maps. picocli's are such, and reading and verifying them was half of what `penstock
/// --version` took.
final class NewerClasses {
  private static final int MAJOR_AT = 6;

  private final ZipFile jar;
  private final ClassFile rewriter;

  private NewerClasses(ZipFile jar) {
    this.jar = jar;
    this.rewriter =
        ClassFile.of(
            ConstantPoolSharingOption.NEW_POOL,
            StackMapsOption.GENERATE_STACK_MAPS,
            ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(this::open)
                    .orElse(ClassHierarchyResolver.defaultResolver())));
  }

  public static void main(String[] args) throws IOException {
    try (ZipFile jar = new ZipFile(args[0]);
        ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(Path.of(args[1])))) {
      NewerClasses classes = new NewerClasses(jar);
      for (ZipEntry entry : Collections.list(jar.entries())) {
        ZipEntry copy = new ZipEntry(entry.getName());
        copy.setTimeLocal(entry.getTimeLocal());
        out.putNextEntry(copy);
        out.write(classes.newer(entry));
        out.closeEntry();
      }
    }
  }

  private byte[] newer(ZipEntry entry) throws IOException {
    byte[] bytes;
    try (InputStream in = jar.getInputStream(entry)) {
      bytes = in.readAllBytes();
    }
    boolean old =
        entry.getName().endsWith(".class")
            && (bytes[MAJOR_AT] << 8 | bytes[MAJOR_AT + 1]) < ClassFile.JAVA_6_VERSION;
    return old ? newer(bytes) : bytes;
  }

  private byte[] newer(byte[] old) {
    ClassTransform version =
        ClassTransform.endHandler(builder -> builder.withVersion(ClassFile.JAVA_8_VERSION, 0));
    // The code is written anew, because only that makes stack maps.
    return rewriter.transformClass(
        rewriter.parse(old),
        ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL).andThen(version));
  }

  private InputStream open(ClassDesc name) {
    String file = name.descriptorString().replaceAll("^L|;$", "") + ".class";
    ZipEntry entry = jar.getEntry(file);
    try {
      return entry == null ? null : jar.getInputStream(entry);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
