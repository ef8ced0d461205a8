package dev.penstock.split;

import dev.penstock.internal.choice.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The rank from the environment, and a sentence that says where it comes from.
///
/// @param sentence what to log
record RankSearch(Rank rank, String sentence) {
  private static final List<String> COUNTS_FOR_OTHERS =
      List.of("PENSTOCK_WORLD_SIZE", "WORLD_SIZE");

  /// Reads all sources.
  ///
  /// @throws IllegalArgumentException if a source is incomplete or wrong, or two disagree
  static RankSearch in(Map<String, String> environment) {
    List<RankSource.Finding> findings = new ArrayList<>();
    for (RankSource source : RankSource.values()) {
      source.read(environment).ifPresent(findings::add);
    }
    boolean counted = !findings.isEmpty() && findings.getFirst().count().isPresent();
    if ((findings.isEmpty() || counted)
        && environment.containsKey("PENSTOCK_WORLD_SIZE")
        && !environment.containsKey("PENSTOCK_RANK")) {
      throw RankSource.PENSTOCK.missing("PENSTOCK_WORLD_SIZE", "PENSTOCK_RANK", environment);
    }
    if (findings.isEmpty()) {
      String lone =
          environment.containsKey("WORLD_SIZE")
              ? " WORLD_SIZE=" + environment.get("WORLD_SIZE") + " without RANK means no rank."
              : "";
      return new RankSearch(Rank.SINGLE, "Rank 0/1: no launcher has set another." + lone);
    }
    if (!counted) {
      findings.set(0, withCount(findings.getFirst(), environment));
    }
    return agreed(findings, environment);
  }

  /// Adds a count to the rank of a source that has none.
  private static RankSource.Finding withCount(
      RankSource.Finding finding, Map<String, String> environment) {
    String countKey =
        COUNTS_FOR_OTHERS.stream()
            .filter(environment::containsKey)
            .findFirst()
            .orElseThrow(() ->
                finding
                    .source()
                    .missing(
                        finding.source().indexKey(),
                        String.join(" or ", COUNTS_FOR_OTHERS),
                        environment));
    return finding.source().finding(countKey, environment);
  }

  /// Returns the first finding after checking that all others agree.
  private static RankSearch agreed(
      List<RankSource.Finding> findings, Map<String, String> environment) {
    RankSource.Finding chosen = findings.getFirst();
    Rank rank = new Rank(chosen.index(), chosen.count().orElseThrow());
    StringBuilder sentence = new StringBuilder("Rank " + rank + " by " + chosen.text() + ".");
    List<RankSource.Finding> accepted = new ArrayList<>();
    accepted.add(chosen);
    for (RankSource.Finding finding : findings.subList(1, findings.size())) {
      if (accepted.stream().noneMatch(finding::agreesWith)) {
        if (accepted.stream()
            .noneMatch(inner -> finding.startedTheLauncherOf(inner, environment))) {
          throw new IllegalArgumentException(
              Sentence.of(
                  "Cannot find the rank: the environment says %s, but also %s. Unset the variables"
                      + " that are not meant, or give the rank to the loader.",
                  chosen.text(), finding.text()));
        }
        sentence.append(" ").append(finding.text()).append(" counts launchers.");
      }
      accepted.add(finding);
    }
    return new RankSearch(rank, sentence.toString());
  }

  /// Returns the sentence for a rank that the user gave, whatever the environment says.
  static String given(Rank rank, Map<String, String> environment) {
    String start = "Rank " + rank + " as given. ";
    try {
      RankSearch search = in(environment);
      return search.rank.equals(rank)
          ? start + "The environment says the same."
          : start + "The environment, which is not used, says: " + search.sentence;
    } catch (IllegalArgumentException e) {
      return start + "The environment is not used: " + e.getMessage();
    }
  }
}
