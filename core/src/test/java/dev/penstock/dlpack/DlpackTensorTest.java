package dev.penstock.dlpack;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.Lease;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DlpackTensorTest {
  private static final Linker LINKER = Linker.nativeLinker();

  private final Arena arena = Arena.ofShared();
  private final AtomicInteger givenBack = new AtomicInteger();
  private final Lease lease = new Lease(givenBack::incrementAndGet);
  private final MemorySegment memory = arena.allocate(24, 64);
  private final Tensor tensor = Tensor.of(DType.FLOAT32, Shape.of(2, 3), memory, lease);
  private final Batch batch = Batch.of(2, Map.of("x", tensor), lease);

  @AfterEach
  void free() {
    arena.close();
  }

  /// Calls a structure's deleter as a library does: by the function pointer in it.
  private static void callDeleter(MemorySegment struct, long offset) throws Throwable {
    MemorySegment function = struct.reinterpret(offset + 8).get(ADDRESS, offset);
    MethodHandle call = LINKER.downcallHandle(function, FunctionDescriptor.ofVoid(ADDRESS));
    call.invokeExact(struct);
  }

  /// Looks at a structure as a library does: by nothing but its address.
  private static MemorySegment foreign(DlpackTensor export, long bytes) {
    return MemorySegment.ofAddress(export.pointer().address()).reinterpret(bytes);
  }

  private void assertTensor(MemorySegment struct) {
    assertThat(struct.get(ADDRESS, 0).address()).isEqualTo(memory.address());
    assertThat(struct.get(JAVA_INT, 8)).as("device type").isEqualTo(1);
    assertThat(struct.get(JAVA_INT, 12)).as("device").isZero();
    assertThat(struct.get(JAVA_INT, 16)).as("axes").isEqualTo(2);
    assertThat(struct.get(JAVA_BYTE, 20)).as("type code").isEqualTo((byte) 2);
    assertThat(struct.get(JAVA_BYTE, 21)).as("bits").isEqualTo((byte) 32);
    assertThat(struct.get(JAVA_SHORT, 22)).as("lanes").isEqualTo((short) 1);
    assertThat(longs(struct.get(ADDRESS, 24))).as("shape").containsExactly(2, 3);
    assertThat(longs(struct.get(ADDRESS, 32))).as("strides").containsExactly(3, 1);
    assertThat(struct.get(JAVA_LONG, 40)).as("byte offset").isZero();
  }

  private static long[] longs(MemorySegment pointer) {
    return pointer.reinterpret(16).toArray(JAVA_LONG);
  }

  @Test
  void legacyStructureIsAsInTheHeader() throws Throwable {
    DlpackTensor export = DlpackTensor.managed(tensor);
    MemorySegment struct = foreign(export, 64);
    assertTensor(struct);
    batch.close();
    assertThat(givenBack).hasValue(0);
    callDeleter(struct, 56);
    assertThat(givenBack).hasValue(1);
  }

  @Test
  void versionedStructureIsAsInTheHeader() throws Throwable {
    DlpackTensor export = DlpackTensor.versioned(tensor);
    MemorySegment struct = foreign(export, 80);
    assertThat(struct.get(JAVA_INT, 0)).as("major version").isEqualTo(1);
    assertThat(struct.get(JAVA_INT, 4)).as("minor version").isZero();
    assertThat(struct.get(JAVA_LONG, 24)).as("flags").isZero();
    assertTensor(struct.asSlice(32));
    batch.close();
    assertThat(givenBack).hasValue(0);
    callDeleter(struct, 16);
    assertThat(givenBack).hasValue(1);
  }

  @Test
  void deleterMayComeBeforeTheBatchIsClosed() throws Throwable {
    callDeleter(DlpackTensor.managed(tensor).pointer(), 56);
    assertThat(givenBack).hasValue(0);
    assertThat(tensor.getFloat(0)).isZero();
    batch.close();
    assertThat(givenBack).hasValue(1);
  }

  @Test
  void everyExportOfABatchKeepsItsMemory() throws Throwable {
    DlpackTensor first = DlpackTensor.managed(tensor);
    DlpackTensor second = DlpackTensor.versioned(tensor.row(1));
    batch.close();
    callDeleter(first.pointer(), 56);
    assertThat(givenBack).hasValue(0);
    MemorySegment row = foreign(second, 80).asSlice(32);
    assertThat(row.get(ADDRESS, 0).address()).isEqualTo(memory.address() + 12);
    callDeleter(second.pointer(), 16);
    assertThat(givenBack).hasValue(1);
  }

  @Test
  void deletingTwiceGivesBackOnce() throws Throwable {
    DlpackTensor first = DlpackTensor.managed(tensor);
    DlpackTensor second = DlpackTensor.managed(tensor);
    batch.close();
    callDeleter(first.pointer(), 56);
    callDeleter(first.pointer(), 56);
    first.delete();
    assertThat(givenBack).as("held by the second").hasValue(0);
    second.delete();
    second.delete();
    assertThat(givenBack).hasValue(1);
  }

  @Test
  void deleterMayBeCalledByAThreadThatJavaDoesNotKnow() throws Throwable {
    DlpackTensor export = DlpackTensor.managed(tensor);
    batch.close();
    MemorySegment deleter = export.pointer().get(ADDRESS, 56);
    MethodHandle create =
        LINKER.downcallHandle(
            LINKER.defaultLookup().find("pthread_create").orElseThrow(),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
    MethodHandle join =
        LINKER.downcallHandle(
            LINKER.defaultLookup().find("pthread_join").orElseThrow(),
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS));
    MemorySegment thread = arena.allocate(ValueLayout.JAVA_LONG);
    int created = (int) create.invokeExact(thread, MemorySegment.NULL, deleter, export.pointer());
    assertThat(created).isZero();
    int joined = (int) join.invokeExact(thread.get(JAVA_LONG, 0), MemorySegment.NULL);
    assertThat(joined).isZero();
    assertThat(givenBack).hasValue(1);
  }

  @Test
  void failureToGiveBackIsLoggedAndDoesNotReachTheLibrary() throws Throwable {
    Lease broken =
        new Lease(() -> {
          throw new IllegalStateException("no");
        });
    Tensor other = Tensor.of(DType.FLOAT32, Shape.of(2, 3), memory, broken);
    DlpackTensor export = DlpackTensor.managed(other);
    broken.close();
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(log, true, UTF_8));
    try {
      callDeleter(export.pointer(), 56);
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(UTF_8))
        .contains("Cannot give the memory of a DLPack tensor back", "IllegalStateException: no");
  }

  @ParameterizedTest
  @CsvSource({
    "BOOL,6,8",
    "INT8,0,8",
    "INT16,0,16",
    "INT32,0,32",
    "INT64,0,64",
    "UINT8,1,8",
    "UINT16,1,16",
    "UINT32,1,32",
    "UINT64,1,64",
    "FLOAT16,2,16",
    "FLOAT32,2,32",
    "FLOAT64,2,64"
  })
  void typesHaveTheCodesOfTheHeader(DType dtype, byte code, int bits) {
    MemorySegment some = memory.asSlice(0, 2L * dtype.bytes());
    DlpackTensor export = DlpackTensor.managed(Tensor.of(dtype, Shape.of(2), some));
    MemorySegment struct = foreign(export, 64);
    assertThat(struct.get(JAVA_BYTE, 20)).isEqualTo(code);
    assertThat(struct.get(JAVA_BYTE, 21)).isEqualTo((byte) bits);
    export.delete();
  }

  @Test
  void arraysAndCrookedAddressesAreRefused() {
    assertThatThrownBy(() -> DlpackTensor.managed(Tensor.of(new float[] {1})))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot export Tensor FLOAT32 [1]: its memory is a Java array, which has no lasting"
                + " address. Copy it off-heap first.");
    Tensor crooked = Tensor.of(DType.FLOAT32, Shape.of(1), memory.asSlice(1, 4), lease);
    assertThatThrownBy(() -> DlpackTensor.versioned(crooked))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("which is no multiple of its element size 4");
    batch.close();
    assertThat(givenBack).as("nothing is held by what was refused").hasValue(1);
    assertThatThrownBy(() -> DlpackTensor.managed(tensor))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("it is closed");
  }
}
