package dev.penstock.s3;

import dev.penstock.spi.storage.StorageOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.TreeSet;
import software.amazon.awssdk.profiles.Profile;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.profiles.ProfileFileLocation;
import software.amazon.awssdk.profiles.ProfileFileSystemSetting;

/// The profile to use from AWS's files: that of storage option `profile`, else that of the
/// environment (`AWS_PROFILE`).
///
/// @param found the profile, or empty if the files have none of that name
record AwsProfile(String name, Optional<Profile> found) {
  /// Looks it up.
  ///
  /// @throws IllegalArgumentException if the option names a profile that does not exist
  static AwsProfile of(StorageOptions options) {
    String name =
        options
            .get("profile")
            .orElseGet(ProfileFileSystemSetting.AWS_PROFILE::getStringValueOrThrow);
    AwsProfile profile = new AwsProfile(name, ProfileFile.defaultProfileFile().profile(name));
    if (options.get("profile").isPresent() && profile.found.isEmpty()) {
      throw options.unfit("profile", "a profile of " + files());
    }
    return profile;
  }

  /// Returns the problem with the profile that the environment names, if any.
  static Optional<String> missing() {
    return ProfileFileSystemSetting.AWS_PROFILE
        .getStringValue()
        .filter(name -> ProfileFile.defaultProfileFile().profile(name).isEmpty())
        .filter(name -> !name.equals("default"))
        .map(name -> "there is no profile '" + name + "' (AWS_PROFILE) in " + files());
  }

  /// Returns the files and the names of their profiles.
  private static String files() {
    Path config = ProfileFileLocation.configurationFilePath();
    Path credentials = ProfileFileLocation.credentialsFilePath();
    boolean areThere = Files.isRegularFile(config) || Files.isRegularFile(credentials);
    String names = new TreeSet<>(ProfileFile.defaultProfileFile().profiles().keySet()).toString();
    return "'%s' or '%s', %s"
        .formatted(config, credentials, areThere ? "which have " + names : "which do not exist");
  }

  /// Returns a setting, for example `region`.
  Optional<String> property(String key) {
    return found.flatMap(profile -> profile.property(key)).filter(value -> !value.isEmpty());
  }
}
