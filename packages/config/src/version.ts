import { readFileSync } from 'node:fs';

const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** The version of the software, e.g. `0.24.0`; the same in every package of the repository. */
export const softwareVersion: string = (manifest as { version: string }).version;

/**
 * The default of `auth.allow_raw_external_tokens`: `true` below 0.25.0 and `false` from 0.25.0 on
 * (platform-service.md, Versioning 6). A pre-release of 0.25.0 behaves like 0.25.0.
 */
export function rawTokensDefault(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return major === 0 && minor < 25;
}
