package dev.penstock.dlpack;

import static java.lang.foreign.ValueLayout.ADDRESS;

import dev.penstock.batch.Hold;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.LoggerFactory;

/// The C function `void deleter(DLManagedTensor *)` of all exported tensors, and what each tensor
/// holds until it is called.
final class Deleter {
  /// What must stay alive while a library may read a structure.
  ///
  /// @param struct its memory and its shape's, which would otherwise be garbage collected
  private record Export(MemorySegment struct, Hold hold) {}

  /// Exports by address. A call's pointer is looked up, never dereferenced: a second call finds
  /// nothing.
  private static final ConcurrentHashMap<Long, Export> EXPORTS = new ConcurrentHashMap<>();

  /// The function pointer, valid as long as the JVM.
  static final MemorySegment STUB = stub();

  private Deleter() {}

  private static MemorySegment stub() {
    try {
      return Linker.nativeLinker()
          .upcallStub(
              MethodHandles.lookup()
                  .findStatic(
                      Deleter.class,
                      "delete",
                      MethodType.methodType(void.class, MemorySegment.class)),
              FunctionDescriptor.ofVoid(ADDRESS),
              Arena.global());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("Cannot find the deleter of DLPack tensors", e);
    }
  }

  static void register(MemorySegment struct, Hold hold) {
    EXPORTS.put(struct.address(), new Export(struct, hold));
  }

  /// Returns the memory of an export, once. It never throws, because an exception would end the
  /// JVM.
  static void delete(MemorySegment struct) {
    try {
      Export export = EXPORTS.remove(struct.address());
      if (export != null) {
        export.hold().close();
      }
    } catch (Throwable e) {
      report(e);
    }
  }

  private static void report(Throwable met) {
    try {
      LoggerFactory.getLogger(DlpackTensor.class)
          .error("Cannot give the memory of a DLPack tensor back", met);
    } catch (Throwable _) {
      // Nobody is left to tell: see delete.
    }
  }
}
