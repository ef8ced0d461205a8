package dev.penstock.xgboost;

import dev.penstock.model.Model;
import dev.penstock.spi.model.ModelFiles;
import dev.penstock.spi.model.ModelFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/// Files of XGBoost's models, JSON or UBJ: those that begin as such, and those whose names end with
/// `.ubj`.
///
/// Found by `ServiceLoader`; a user opens an [XgboostModel].
public final class XgboostFormat implements ModelFormat {
  /// The name of the first member, after its length where it is UBJ.
  private static final Pattern BEGINNING =
      Pattern.compile("\\s*\\{(\\s*\"|[ilIL].{1,8})(learner|version).*", Pattern.DOTALL);

  /// Makes the format.
  public XgboostFormat() {}

  @Override
  public String name() {
    return "XGBoost";
  }

  @Override
  public boolean isOf(Path file) throws IOException {
    return ModelFiles.isNamed(file, ".ubj") || (Files.isRegularFile(file) && begins(file));
  }

  /// Returns whether a file begins as a model does.
  static boolean begins(Path file) throws IOException {
    String begin = new String(ModelFiles.beginning(file, 64), StandardCharsets.ISO_8859_1);
    return BEGINNING.matcher(begin).matches();
  }

  @Override
  public Model open(Path file, int threads) throws IOException {
    return XgboostModel.open(file, threads);
  }
}
