# Sets JAVA_HOME to a JDK 25 or newer, or says in one sentence what to install.
# shellcheck shell=sh
# Sourced by mvnw and penstock; POSIX shell. Looks at JAVA_HOME, the PATH and the usual places.
# Run by itself, it prints where the JDK is: "$(sh .mvn/find-jdk.sh)/bin/java".

penstock_jdk_release() { # the feature release of the JDK in folder $1, or nothing
  [ -x "$1/bin/javac" ] && [ -f "$1/release" ] || return 0
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

penstock_jdk_on_path() { # the home of the java on the PATH, links resolved
  java_command=$(command -v java 2>/dev/null) || return 0
  while [ -L "$java_command" ]; do
    link=$(readlink "$java_command")
    case "$link" in
      /*) java_command=$link ;;
      *) java_command=$(dirname "$java_command")/$link ;;
    esac
  done
  (cd "$(dirname "$java_command")/.." 2>/dev/null && pwd -P) || true
}

penstock_find_jdk() {
  set +f # the candidates are globs
  for candidate in "${JAVA_HOME-}" "$(penstock_jdk_on_path)" \
    /usr/lib/jvm/* /usr/java/* /usr/local/openjdk* /opt/java/* /opt/jdk* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "${HOME-}"/.sdkman/candidates/java/* "${HOME-}"/.jdks/* "${HOME-}"/.local/share/mise/installs/java/*; do
    [ -n "$candidate" ] || continue
    release=$(penstock_jdk_release "$candidate")
    if [ -n "$release" ] && [ "$release" -ge 25 ]; then
      JAVA_HOME=$candidate
      export JAVA_HOME
      return 0
    fi
  done
  echo "Penstock needs a JDK 25 or newer and found none: install one (for example Eclipse Temurin 25), or set JAVA_HOME to it." >&2
  return 1
}

penstock_find_jdk || exit 1
case "$0" in
  *find-jdk.sh) printf '%s\n' "$JAVA_HOME" ;;
esac
