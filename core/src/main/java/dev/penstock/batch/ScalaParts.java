package dev.penstock.batch;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The parameters of a Scala case class, in order, which every instance tells as a `scala.Product`.
/// Tuples are such classes; collections and options are none of these rows, though they are
/// products.
final class ScalaParts {
  private static final ClassValue<Set<Class<?>>> ANCESTORS =
      new ClassValue<>() {
        @Override
        protected Set<Class<?>> computeValue(Class<?> type) {
          Set<Class<?>> all = new HashSet<>();
          addAncestors(type, all);
          return all;
        }
      };

  private ScalaParts() {}

  private static void addAncestors(Class<?> type, Set<Class<?>> all) {
    if (all.add(type)) {
      for (Class<?> parent : type.getInterfaces()) {
        addAncestors(parent, all);
      }
      if (type.getSuperclass() != null) {
        addAncestors(type.getSuperclass(), all);
      }
    }
  }

  /// {@return the parameters of a case class; none of another class}
  static List<RowParts.Part> of(Object row) {
    Class<?> product = null;
    for (Class<?> ancestor : ANCESTORS.get(row.getClass())) {
      switch (ancestor.getName()) {
        case "scala.Product" -> product = ancestor;
        case "scala.Option", "scala.collection.IterableOnce" -> {
          return List.of();
        }
        default -> {}
      }
    }
    return product == null ? List.of() : parts(product, row);
  }

  private static List<RowParts.Part> parts(Class<?> product, Object row) {
    try {
      Method element = product.getMethod("productElement", int.class);
      Method name = product.getMethod("productElementName", int.class);
      int count = (int) product.getMethod("productArity").invoke(row);
      List<RowParts.Part> parts = new ArrayList<>();
      for (int part = 0; part < count; part++) {
        parts.add(new RowParts.Part((String) name.invoke(row, part), element, List.of(part)));
      }
      return parts;
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          "Cannot read the parameters of case class "
              + row.getClass().getTypeName()
              + ": scala.Product does not name them. Use Scala 2.13 or newer, or write a Collator of"
              + " your own.",
          e);
    }
  }
}
