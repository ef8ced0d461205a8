package dev.penstock.orc;

import org.apache.orc.TypeDescription;
import org.apache.orc.storage.ql.exec.vector.BytesColumnVector;
import org.apache.orc.storage.ql.exec.vector.ColumnVector;
import org.apache.orc.storage.ql.exec.vector.DateColumnVector;
import org.apache.orc.storage.ql.exec.vector.Decimal64ColumnVector;
import org.apache.orc.storage.ql.exec.vector.DecimalColumnVector;
import org.apache.orc.storage.ql.exec.vector.DoubleColumnVector;
import org.apache.orc.storage.ql.exec.vector.ListColumnVector;
import org.apache.orc.storage.ql.exec.vector.LongColumnVector;
import org.apache.orc.storage.ql.exec.vector.MapColumnVector;
import org.apache.orc.storage.ql.exec.vector.StructColumnVector;
import org.apache.orc.storage.ql.exec.vector.TimestampColumnVector;

/// Makes ORC's vectors with a limited size.
///
/// ORC allocates memory for the elements of lists by their stated lengths, before it reads any. So
/// a damaged length could exhaust the memory.
record BoundedVectors(int most) {
  private void check(int size) {
    if (size < 0 || size > most) {
      throw new IllegalArgumentException(
          "lists have " + size + " elements together but at most " + most + " are read at once");
    }
  }

  ColumnVector create(TypeDescription type, int size) {
    return switch (type.getCategory()) {
      case BOOLEAN, BYTE, SHORT, INT, LONG ->
          new LongColumnVector(size) {
            @Override
            public void ensureSize(int wanted, boolean preserve) {
              check(wanted);
              super.ensureSize(wanted, preserve);
            }
          };
      case DATE ->
          new DateColumnVector(size) {
            @Override
            public void ensureSize(int wanted, boolean preserve) {
              check(wanted);
              super.ensureSize(wanted, preserve);
            }
          };
      case FLOAT, DOUBLE ->
          new DoubleColumnVector(size) {
            @Override
            public void ensureSize(int wanted, boolean preserve) {
              check(wanted);
              super.ensureSize(wanted, preserve);
            }
          };
      case STRING, CHAR, VARCHAR, BINARY, Geometry, Geography ->
          new BytesColumnVector(size) {
            @Override
            public void ensureSize(int wanted, boolean preserve) {
              check(wanted);
              super.ensureSize(wanted, preserve);
            }
          };
      case TIMESTAMP, TIMESTAMP_INSTANT ->
          new TimestampColumnVector(size) {
            @Override
            public void ensureSize(int wanted, boolean preserve) {
              check(wanted);
              super.ensureSize(wanted, preserve);
            }
          };
      case DECIMAL -> decimal(type, size);
      case LIST ->
          new ListColumnVector(size, create(type.getChildren().getFirst(), size)) {
            @Override
            public void ensureSize(int wanted, boolean preserve) {
              check(wanted);
              super.ensureSize(wanted, preserve);
            }
          };
      case MAP ->
          new MapColumnVector(
              size,
              create(type.getChildren().getFirst(), size),
              create(type.getChildren().getLast(), size)) {
            @Override
            public void ensureSize(int wanted, boolean preserve) {
              check(wanted);
              super.ensureSize(wanted, preserve);
            }
          };
      case STRUCT ->
          new StructColumnVector(
              size,
              type.getChildren().stream()
                  .map(part -> create(part, size))
                  .toArray(ColumnVector[]::new)) {
            @Override
            public void ensureSize(int wanted, boolean preserve) {
              check(wanted);
              super.ensureSize(wanted, preserve);
            }
          };
      case UNION -> new LongColumnVector(1); // an unread part of a struct
    };
  }

  private ColumnVector decimal(TypeDescription type, int size) {
    int precision = type.getPrecision();
    if (precision <= TypeDescription.MAX_DECIMAL64_PRECISION) {
      return new Decimal64ColumnVector(size, precision, type.getScale()) {
        @Override
        public void ensureSize(int wanted, boolean preserve) {
          check(wanted);
          super.ensureSize(wanted, preserve);
        }
      };
    }
    return new DecimalColumnVector(size, precision, type.getScale()) {
      @Override
      public void ensureSize(int wanted, boolean preserve) {
        check(wanted);
        super.ensureSize(wanted, preserve);
      }
    };
  }
}
