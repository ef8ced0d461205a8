package dev.penstock.dlpack;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.penstock.batch.DType;
import dev.penstock.batch.Hold;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.LoggerFactory;

/// A tensor as the C structure in which array libraries pass memory to each other: a
/// `DLManagedTensor`, or the `DLManagedTensorVersioned` of DLPack 1.
///
/// Pass [#pointer()] to a library in this process, such as libtorch by `at::fromDLPack`. Nothing is
/// copied: the library reads, and may write, the batch's memory.
///
/// **Ownership.** The library owns the structure and calls its deleter when the last array over it
/// is gone. The memory returns to the loader once the deleter was called and the batch is closed,
/// in either order, even after the loader was closed. Release a structure that no library took with
/// [#delete()].
///
/// **Threads.** Safe for any; any thread, Java or native, may call the deleter.
public final class DlpackTensor {
  /*
   * The structures, on machines with 64-bit pointers:
   *
   *   DLTensor                   DLManagedTensor      DLManagedTensorVersioned
   *    0  void*    data           0  DLTensor          0  uint32 major, minor
   *    8  int32    device type   48  void* context     8  void*  context
   *   12  int32    device        56  void* deleter    16  void*  deleter
   *   16  int32    axes                               24  uint64 flags
   *   20  uint8    type code                          32  DLTensor
   *   21  uint8    bits
   *   22  uint16   lanes
   *   24  int64*   shape
   *   32  int64*   strides, in elements
   *   40  uint64   byte offset
   */
  private static final long TENSOR_BYTES = 48;
  private static final long MANAGED_BYTES = 64;
  private static final long VERSIONED_BYTES = 80;
  private static final int MAJOR_VERSION = 1;
  private static final int CPU = 1;

  private final MemorySegment pointer;

  private DlpackTensor(MemorySegment pointer) {
    this.pointer = pointer;
  }

  /// Returns a tensor as a `DLManagedTensor`, which every library that supports DLPack takes.
  ///
  /// @param tensor a tensor in off-heap memory, as in any batch
  /// @return the structure; pass it to a library or delete it
  /// @throws IllegalArgumentException if the memory is a Java array, or does not start at a
  ///   multiple of the element size
  /// @throws IllegalStateException if the batch is closed
  public static DlpackTensor managed(Tensor tensor) {
    return export(tensor, MANAGED_BYTES, 0, TENSOR_BYTES);
  }

  /// Returns a tensor as a `DLManagedTensorVersioned` of version 1.0, writable.
  ///
  /// @param tensor a tensor in off-heap memory, as in any batch
  /// @return the structure; pass it to a library or delete it
  /// @throws IllegalArgumentException if the memory is a Java array, or does not start at a
  ///   multiple of the element size
  /// @throws IllegalStateException if the batch is closed
  public static DlpackTensor versioned(Tensor tensor) {
    DlpackTensor export = export(tensor, VERSIONED_BYTES, 32, 8);
    export.pointer.set(JAVA_INT, 0, MAJOR_VERSION);
    return export;
  }

  private static DlpackTensor export(
      Tensor tensor, long structBytes, long tensorOffset, long contextOffset) {
    Hold hold = tensor.hold();
    try {
      requireExportable(tensor, hold.memory());
      // Garbage collected some time after the deleter was called, for two reasons: until then
      // nothing reuses the address, so a second call does no harm; and closing a shared arena would
      // stop all threads.
      Arena arena = Arena.ofAuto();
      MemorySegment struct = arena.allocate(structBytes, 8);
      write(tensor, hold.memory(), struct.asSlice(tensorOffset, TENSOR_BYTES), arena);
      struct.set(ADDRESS, contextOffset, MemorySegment.NULL);
      struct.set(ADDRESS, contextOffset + 8, Deleter.STUB);
      Deleter.register(struct, hold);
      return new DlpackTensor(struct);
    } catch (Throwable e) {
      hold.close();
      throw e;
    }
  }

  private static void requireExportable(Tensor tensor, MemorySegment memory) {
    if (!memory.isNative()) {
      throw new IllegalArgumentException(
          "Cannot export "
              + named(tensor)
              + ": its memory is a Java array, which has no lasting address. Copy it off-heap"
              + " first.");
    }
    if (memory.address() % tensor.dtype().bytes() != 0) {
      throw new IllegalArgumentException(
          "Cannot export "
              + named(tensor)
              + ": its memory starts at address "
              + memory.address()
              + ", which is no multiple of its element size "
              + tensor.dtype().bytes()
              + ". Copy it first.");
    }
  }

  private static void write(
      Tensor tensor, MemorySegment memory, MemorySegment struct, Arena arena) {
    Shape shape = tensor.shape();
    struct.set(ADDRESS, 0, memory);
    struct.set(JAVA_INT, 8, CPU);
    struct.set(JAVA_INT, 12, 0);
    struct.set(JAVA_INT, 16, shape.rank());
    struct.set(JAVA_BYTE, 20, typeCode(tensor.dtype()));
    struct.set(JAVA_BYTE, 21, (byte) (tensor.dtype().bytes() * 8));
    struct.set(JAVA_SHORT, 22, (short) 1);
    struct.set(ADDRESS, 24, arena.allocateFrom(JAVA_LONG, shape.dims()));
    struct.set(ADDRESS, 32, arena.allocateFrom(JAVA_LONG, strides(shape)));
    struct.set(JAVA_LONG, 40, 0);
  }

  private static byte typeCode(DType dtype) {
    return switch (dtype) {
      case INT8, INT16, INT32, INT64 -> 0;
      case UINT8, UINT16, UINT32, UINT64 -> 1;
      case FLOAT16, FLOAT32, FLOAT64 -> 2;
      case BOOL -> 6;
    };
  }

  /// Returns the stride of each axis, in elements.
  private static long[] strides(Shape shape) {
    long[] strides = new long[shape.rank()];
    long stride = 1;
    for (int axis = strides.length - 1; axis >= 0; axis--) {
      strides[axis] = stride;
      stride *= Math.max(1, shape.dim(axis));
    }
    return strides;
  }

  /// {@return the address of the structure, a `DLManagedTensor*` or `DLManagedTensorVersioned*`,
  /// valid until its deleter is called}
  public MemorySegment pointer() {
    return pointer;
  }

  /// Releases a structure that no library took, as its deleter would. Further calls do nothing.
  public void delete() {
    Deleter.delete(pointer);
  }

  private static String named(Tensor tensor) {
    return "Tensor " + tensor.dtype() + " " + tensor.shape();
  }

  /// The C function `void deleter(DLManagedTensor *)` of all exported tensors, and what each tensor
  /// holds until it is called.
  private static final class Deleter {
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
        MethodType type = MethodType.methodType(void.class, MemorySegment.class);
        MethodHandle delete = MethodHandles.lookup().findStatic(Deleter.class, "delete", type);
        return Linker.nativeLinker()
            .upcallStub(delete, FunctionDescriptor.ofVoid(ADDRESS), Arena.global());
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
}
