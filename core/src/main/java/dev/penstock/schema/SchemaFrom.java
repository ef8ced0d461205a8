package dev.penstock.schema;

/// Which files of a dataset decide its columns.
public enum SchemaFrom {
  /// The first file in path order. Columns that only later files have are left out, and a later
  /// file's type must fit into the first one's.
  FIRST,
  /// All files, the default: every column that any file has, in the widest of its types. So the
  /// columns do not depend on which file comes first, and none is silently left out.
  ALL
}
