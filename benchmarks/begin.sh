# What the scripts of this folder begin with. It prints the script's first comment and ends if there
# are fewer than `least` arguments. Then `root` is the clone, JAVA_HOME a JDK, and `build` there.

if [ $# -lt "$least" ]; then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/.mvn/find-jdk.sh"

# Packages modules, by the profiles in the first argument, unless BUILD is 0.
build() {
  [ "${BUILD:-1}" = 0 ] || (cd "$root" && ./mvnw -q -P"$1" -DskipTests package -pl "$2" -am >&2)
}
