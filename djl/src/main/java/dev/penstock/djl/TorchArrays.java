package dev.penstock.djl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.penstock.batch.Tensor;
import dev.penstock.dlpack.DlpackTensor;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Arrays of the PyTorch engine over our memory, by DLPack.
///
/// Loaded only with the PyTorch engine.
final class TorchArrays {
  /*
   * DJL passes torch the bare address of a direct buffer, and torch does not learn when that memory
   * is freed: a view that outlives the array reads freed memory, and the JVM crashes. So torch gets
   * a DLPack structure, whose deleter it calls after the last use of the storage:
   *
   *   at::Tensor at::fromDLPack(DLManagedTensor *)
   *
   * It is a C++ function of libtorch under its mangled name. at::Tensor is one pointer, but
   * returned in memory because it has a destructor; a structure of 24 bytes is returned so on x86-64
   * and AArch64 alike. DJL keeps tensors in blocks of `new at::Tensor`, so the pointer is moved to one.
   * A C++ exception cannot be caught here: DjlBatches lets only types through that torch has.
   *
   * The library is looked up by the name under which the engine has loaded it. Where it is not
   * found, as on Windows, arrays are copies.
   */
  private static final Logger LOGGER = LoggerFactory.getLogger(TorchArrays.class);
  private static final MemoryLayout RETURNED = MemoryLayout.sequenceLayout(3, JAVA_LONG);

  private static final @Nullable MethodHandle FROM_DLPACK;
  private static final @Nullable MethodHandle NEW;

  /// Returns whether arrays can lie in our memory.
  static final boolean AVAILABLE;

  static {
    MethodHandle from = null;
    MethodHandle allocate = null;
    try {
      SymbolLookup torch =
          SymbolLookup.libraryLookup(System.mapLibraryName("torch_cpu"), Arena.global());
      Linker linker = Linker.nativeLinker();
      allocate =
          linker.downcallHandle(
              torch.find("_Znwm").orElseThrow(), FunctionDescriptor.of(ADDRESS, JAVA_LONG));
      from =
          linker.downcallHandle(
              torch.find("_ZN2at10fromDLPackEP15DLManagedTensor").orElseThrow(),
              FunctionDescriptor.of(MemoryLayout.structLayout(RETURNED), ADDRESS));
    } catch (RuntimeException e) {
      LOGGER.warn("Batches are copied for PyTorch: at::fromDLPack was not found. {}", e.toString());
    }
    FROM_DLPACK = from;
    NEW = allocate;
    AVAILABLE = from != null && allocate != null;
  }

  private TorchArrays() {}

  /// Returns an array over a tensor's memory.
  static NDArray over(NDManager manager, Tensor tensor) {
    if (FROM_DLPACK == null || NEW == null) {
      throw new IllegalStateException("at::fromDLPack was not found.");
    }
    DlpackTensor export = DlpackTensor.managed(tensor);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment handle = (MemorySegment) NEW.invokeExact(JAVA_LONG.byteSize());
      MemorySegment returned =
          (MemorySegment) FROM_DLPACK.invokeExact((SegmentAllocator) arena, export.pointer());
      handle.reinterpret(JAVA_LONG.byteSize()).set(JAVA_LONG, 0, returned.get(JAVA_LONG, 0));
      return new PtNDArray((PtNDManager) manager, handle.address());
    } catch (Throwable e) {
      export.delete();
      throw new IllegalStateException("Cannot make an array of " + tensor, e);
    }
  }
}
