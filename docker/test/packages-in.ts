import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface PackageManifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  /** Names optional peers, some of which are only here. */
  readonly peerDependenciesMeta?: Readonly<Record<string, unknown>>;
}

const manifestIn = (directory: string): PackageManifest =>
  JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));

/** The directories of every package that lies in a deployed application, whether something needs it or not. */
export function packagesIn(application: string): readonly string[] {
  const store = join(application, 'node_modules/.pnpm');
  return readdirSync(store).flatMap((entry) => {
    const modules = join(store, entry, 'node_modules');
    // `.pnpm/node_modules` holds links only.
    return entry === 'node_modules' || !existsSync(modules) ? [] : ownPackages(modules);
  });
}

/** The packages in a directory of the store that are no links to others. */
function ownPackages(modules: string): readonly string[] {
  return readdirSync(modules, { withFileTypes: true }).flatMap((entry) => {
    const path = join(modules, entry.name);
    if (entry.isDirectory() && entry.name.startsWith('@')) return ownPackages(path);
    return entry.isDirectory() && existsSync(join(path, 'package.json')) ? [path] : [];
  });
}

/** The directories of the packages that a deployed application reaches by `dependencies`, from its own manifest on. */
export function reachableFrom(application: string): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (directory: string): void => {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      manifestIn(directory);
    const names = { ...dependencies, ...optionalDependencies, ...peerDependencies, ...peerDependenciesMeta };
    for (const name of Object.keys(names)) {
      const target = resolveFrom(directory, name);
      if (target === null || found.has(target)) continue;
      found.add(target);
      visit(target);
    }
  };
  visit(realpathSync(application));
  return found;
}

/** The package that Node.js would find; null for an optional one that is not installed. */
function resolveFrom(directory: string, name: string): string | null {
  for (let at = directory; ; at = dirname(at)) {
    const candidate = join(at, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate);
    if (dirname(at) === at) return null;
  }
}
