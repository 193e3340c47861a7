import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/**
 * Gives the classes of libraries that were compiled for Java 5 the form of Java 8's class files: an
 * archive of classes takes none that are older than Java 6's, nor any class that knows one of those.
 * Only the version and the stack maps, which the verifier wants, change. Run by the build.
 */
final class ModernClassFiles {
  private static final int JAVA_6 = 50;
  private static final String NOTE = "META-INF/CHANGED-CLASS-FILES.txt";

  private ModernClassFiles() {}

  /** One argument: a directory of jars, which are changed where they need it. */
  public static void main(String[] args) throws IOException {
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of(args[0]), "*.jar")) {
      for (Path jar : jars) {
        change(jar);
      }
    }
  }

  private static void change(Path jar) throws IOException {
    Map<ZipEntry, byte[]> entries = new LinkedHashMap<>();
    boolean changed = false;
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(jar));
        URLClassLoader classes = new URLClassLoader(new URL[] {jar.toUri().toURL()})) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        byte[] content = in.readAllBytes();
        if (entry.getName().endsWith(".class") && version(content) < JAVA_6) {
          content = modern(content, classes);
          changed = true;
        }
        ZipEntry copy = new ZipEntry(entry.getName());
        copy.setTime(entry.getTime());
        entries.put(copy, content);
      }
    }
    if (!changed) {
      return;
    }
    ZipEntry note = new ZipEntry(NOTE);
    note.setTime(entries.keySet().iterator().next().getTime());
    entries.put(
        note,
        ("statectl changed the class files of this library: they have the version of Java 8 and\n"
                + "stack maps. They do what they did.\n")
            .getBytes(StandardCharsets.US_ASCII));
    Path written = jar.resolveSibling(jar.getFileName() + ".changed");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(written))) {
      for (Map.Entry<ZipEntry, byte[]> entry : entries.entrySet()) {
        out.putNextEntry(entry.getKey());
        out.write(entry.getValue());
        out.closeEntry();
      }
    }
    Files.move(written, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  private static int version(byte[] classFile) {
    return (classFile[6] & 0xff) << 8 | classFile[7] & 0xff;
  }

  private static byte[] modern(byte[] classFile, ClassLoader classes) {
    ClassWriter writer =
        new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
          @Override
          protected ClassLoader getClassLoader() {
            return classes;
          }
        };
    new ClassReader(classFile)
        .accept(
            new ClassVisitor(Opcodes.ASM9, writer) {
              @Override
              public void visit(
                  int version,
                  int access,
                  String name,
                  String signature,
                  String superName,
                  String[] interfaces) {
                super.visit(Opcodes.V1_8, access, name, signature, superName, interfaces);
              }
            },
            ClassReader.SKIP_FRAMES);
    return writer.toByteArray();
  }
}
