package dev.penstock.report.page;

import java.util.function.UnaryOperator;

/// Puts texts in the places of a template that are marked `{{name}}`. What is put in is not looked
/// at again, so a text may hold braces.
final class PageTemplate {
  private static final String OPEN = "{{";
  private static final String CLOSE = "}}";

  private PageTemplate() {}

  /// Returns the template with each place filled.
  ///
  /// @param template the template
  /// @param texts the text of a name
  static String fill(String template, UnaryOperator<String> texts) {
    StringBuilder filled = new StringBuilder();
    int from = 0;
    for (int open = template.indexOf(OPEN); open >= 0; open = template.indexOf(OPEN, from)) {
      int close = template.indexOf(CLOSE, open);
      filled.append(template, from, open);
      filled.append(texts.apply(template.substring(open + OPEN.length(), close)));
      from = close + CLOSE.length();
    }
    return filled.append(template, from, template.length()).toString();
  }
}
