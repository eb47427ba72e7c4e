import type { Environment } from '@marcbachmann/cel-js';
import { parse, type SemVer } from 'semver';

/** A version of Semantic Versioning 2.0.0. */
class Version {
  readonly parsed: SemVer;

  /** Throws for any other text. With `normalize`, `v1.2` is `1.2.0`, as in Kubernetes. */
  constructor(text: string, normalize = false) {
    const wanted = normalize ? normalized(text) : text;
    // The library takes `v1.2.3` and spaces around.
    const parsed = /^\d/.test(wanted) && wanted === wanted.trim() ? parse(wanted) : null;
    if (parsed === null) throw new Error(`not a semantic version: ${text.slice(0, 64)}`);
    this.parsed = parsed;
  }

  compare(other: Version): number {
    return this.parsed.compare(other.parsed);
  }
}

function normalized(text: string): string {
  const [, numbers = '', rest = ''] = /^v?([\d.]*)(.*)$/s.exec(text) ?? [];
  const parts = numbers.split('.').map((part) => part.replace(/^0+(?=\d)/, ''));
  while (parts.length < 3) parts.push('0');
  return parts.join('.') + rest;
}

/** Adds the functions for semantic versions. */
export function registerVersions(environment: Environment): void {
  const type = 'kubernetes.Semver';
  const isVersion = (text: string, normalize = false) => {
    try {
      return new Version(text, normalize) !== null;
    } catch {
      return false;
    }
  };
  environment
    .registerType(type, { ctor: Version, fields: {} })
    .registerOperator(`${type} == ${type}`, (a: Version, b: Version) => a.compare(b) === 0)
    .registerFunction(`semver(string): ${type}`, (text: string) => new Version(text))
    .registerFunction(
      `semver(string, bool): ${type}`,
      (text: string, normalize: boolean) => new Version(text, normalize),
    )
    .registerFunction('isSemver(string): bool', (text: string) => isVersion(text))
    .registerFunction('isSemver(string, bool): bool', isVersion)
    .registerFunction(`${type}.isLessThan(${type}): bool`, (a: Version, b: Version) => a.compare(b) < 0)
    .registerFunction(`${type}.isGreaterThan(${type}): bool`, (a: Version, b: Version) => a.compare(b) > 0)
    .registerFunction(`${type}.compareTo(${type}): int`, (a: Version, b: Version) => BigInt(a.compare(b)));
  for (const name of ['major', 'minor', 'patch'] as const)
    environment.registerFunction(`${type}.${name}(): int`, ({ parsed }: Version) => BigInt(parsed[name]));
}
