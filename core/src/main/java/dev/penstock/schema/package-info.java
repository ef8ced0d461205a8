/// The columns of a table: [Schema], [Field] and the sealed [DataType]s.
@NullMarked
package dev.penstock.schema;

import org.jspecify.annotations.NullMarked;
