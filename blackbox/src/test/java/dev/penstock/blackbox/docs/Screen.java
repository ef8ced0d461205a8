package dev.penstock.blackbox.docs;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Draws what a terminal shows as an SVG picture.
final class Screen {
  private static final int COLUMNS = 72;
  private static final double COLUMN = 8.4; // pixels of a character
  private static final int LINE = 20;
  private static final int EDGE = 16;
  private static final int TITLE = 28;

  /// Returns the picture.
  ///
  /// @param text the lines; those that begin with `$ ` are what the reader typed
  static String draw(String text) {
    List<String> lines = text.lines().flatMap(Screen::cut).toList();
    long width = Math.round(COLUMNS * COLUMN) + 2 * EDGE;
    int height = lines.size() * LINE + TITLE + EDGE;
    var svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d">
        <style>text { font: 14px monospace; fill: #d8dee9; white-space: pre } .typed { fill: #8fd18f }</style>
        <rect width="%1$d" height="%2$d" rx="8" fill="#1b2028"/>
        <circle cx="18" cy="15" r="5" fill="#e0605a"/>
        <circle cx="36" cy="15" r="5" fill="#dfb13c"/>
        <circle cx="54" cy="15" r="5" fill="#58b158"/>
        """
            .formatted(width, height));
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!line.isEmpty()) {
        String typed = line.startsWith("$ ") ? " class=\"typed\"" : "";
        svg.append(
            "<text x=\"%s\" y=\"%s\" textLength=\"%s\" xml:space=\"preserve\"%s>%s</text>%n"
                .formatted(
                    EDGE,
                    TITLE + (i + 1) * LINE - 4,
                    Math.round(line.length() * COLUMN),
                    typed,
                    line.replace("&", "&amp;").replace("<", "&lt;")));
      }
    }
    return svg.append("</svg>\n").toString().replace("\r", "");
  }

  /// Cuts a line where the terminal ends.
  private static Stream<String> cut(String line) {
    return IntStream.rangeClosed(0, Math.max(0, line.length() - 1) / COLUMNS)
        .mapToObj(i -> line.substring(i * COLUMNS, Math.min(line.length(), (i + 1) * COLUMNS)));
  }

  private Screen() {}
}
