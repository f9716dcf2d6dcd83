import semver from "semver";

export const NAME = "semver";
export const DESCRIPTION = "Ranges, an order with prereleases, an increment, a coercion and a range's least version.";

export function run() {
  return {
    isInRange: semver.satisfies("1.4.9", "^1.2.3 || >=3"),
    sorted: semver.sort(["1.0.0", "1.0.0-rc.2", "0.9.0", "1.0.0-rc.10"]),
    next: semver.inc("1.2.3", "prerelease", "beta"),
    coerced: semver.coerce("v2.1-next")?.version,
    least: semver.minVersion(">1.2.3 <2")?.version,
    isSubset: semver.subset("~1.2.3", "^1.0.0"),
  };
}
