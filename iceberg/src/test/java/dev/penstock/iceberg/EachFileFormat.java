package dev.penstock.iceberg;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.apache.iceberg.FileFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A test that runs with each format that data files may have.
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest
@EnumSource(
    value = FileFormat.class,
    names = {"PARQUET", "AVRO", "ORC"})
@interface EachFileFormat {}
