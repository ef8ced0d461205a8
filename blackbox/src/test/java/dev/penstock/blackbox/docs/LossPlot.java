package dev.penstock.blackbox.docs;

// @start region=loss-plot
import java.util.List;

/// Draws losses over epochs as an SVG picture.
final class LossPlot {
  private static final double LOW = 0.47; // of the vertical axis
  private static final double HIGH = 0.50;

  static String draw(List<Double> train, List<Double> test) {
    var svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 640 400'>
        <style>text { font: 15px sans-serif; text-anchor: end }</style>
        <rect width='640' height='400' fill='white'/>
        """);
    for (double loss = LOW; loss < HIGH + 0.001; loss += 0.005) {
      long thousandths = Math.round(1000 * loss);
      svg.append("<path d='M70 %s H610' stroke='#ddd'/>\n".formatted(y(loss)));
      svg.append("<text x='60' y='%s'>0.%s</text>\n".formatted(y(loss) + 5, thousandths));
    }
    for (int epoch = 0; epoch < train.size(); epoch++) {
      svg.append("<text x='%s' y='375'>%s</text>\n".formatted(x(epoch, train) + 4, epoch));
    }
    svg.append("<text x='364' y='396'>epoch</text>\n");
    svg.append(curve(train, "#2f6fde"));
    svg.append("<text x='600' y='44' fill='#2f6fde'>training</text>\n");
    svg.append(curve(test, "#d9630d"));
    svg.append("<text x='600' y='66' fill='#d9630d'>held-out flights</text>\n");
    return svg.append("</svg>\n").toString();
  }

  private static String curve(List<Double> losses, String colour) {
    var points = new StringBuilder();
    for (int epoch = 0; epoch < losses.size(); epoch++) {
      points.append("%s,%s ".formatted(x(epoch, losses), y(losses.get(epoch))));
    }
    return "<polyline fill='none' stroke='%s' stroke-width='3' points='%s'/>\n"
        .formatted(colour, points);
  }

  private static long x(int epoch, List<Double> losses) {
    return Math.round(90 + 500.0 * epoch / (losses.size() - 1));
  }

  private static long y(double loss) {
    return Math.round(350 - 330 * (loss - LOW) / (HIGH - LOW));
  }
}
// @end
