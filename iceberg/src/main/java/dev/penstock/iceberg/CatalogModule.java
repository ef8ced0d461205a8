package dev.penstock.iceberg;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.CatalogUtil;

/// The catalogs whose libraries come with separate modules, so that errors can name the missing
/// dependency.
enum CatalogModule {
  GLUE(CatalogUtil.ICEBERG_CATALOG_GLUE),
  HIVE(CatalogUtil.ICEBERG_CATALOG_HIVE);

  private final String className;

  CatalogModule(String className) {
    this.className = className;
  }

  private String type() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Returns the module that catalog options need, if it is one of these.
  static Optional<CatalogModule> of(Map<String, String> options) {
    String impl = options.get(CatalogProperties.CATALOG_IMPL);
    String type = options.get(CatalogUtil.ICEBERG_CATALOG_TYPE);
    return Arrays.stream(values())
        .filter(module ->
            impl == null ? module.type().equalsIgnoreCase(type) : module.className.equals(impl))
        .findFirst();
  }

  /// Checks that the catalog's class is available.
  void require() {
    try {
      Class.forName(className, false, CatalogModule.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError _) {
      throw Advice.argumentError(
          "catalogs of type %s need a module that is not on the class path. %s",
          type(), Remedy.module("iceberg-" + type(), "in the version of penstock-iceberg"));
    }
  }
}
