import { readFileSync } from 'node:fs';

const lockfile = readFileSync(new URL('../../../pnpm-lock.yaml', import.meta.url), 'utf8');

/** Where the project is developed and installed. */
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/** The names of platforms and of C libraries in the names of packages with binaries. */
const platformInName =
  /[-/](?:aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|wasm32|win32|windows)\b.*$/;

/** The platforms of each package with binaries, by the name without a platform, with the version. */
function binaries(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const entries = lockfile.matchAll(
    /^ {2}'?(@?[^@'\s]+)@([^:'\s]+)'?:\n(?: {4}.*\n)*? {4}cpu: \[(.*)\]\n {4}os: \[(.*)\]\n/gm,
  );
  for (const [, name = '', version, cpu, os] of entries) {
    const family = `${name.replace(platformInName, '')}@${version}`;
    found.set(family, (found.get(family) ?? new Set()).add(`${os}-${cpu}`));
  }
  return found;
}

// An install on one machine can leave the binaries of the others out of the lockfile: then nothing starts there.
it('the lockfile has the binaries of every platform', () => {
  const families = [...binaries()];
  expect(families.length).toBeGreaterThan(5);
  const missing = families.flatMap(([family, has]) =>
    platforms.filter((platform) => !has.has(platform)).map((platform) => `${family} for ${platform}`),
  );
  expect(missing).toEqual([]);
});
