import { bestMatches } from '../logic/best-matches.ts';
import type { Column } from '../logic/columns.ts';
import type { DefinitionSpec } from './resource.ts';

/** A kind of resources as discovery lists it. */
export interface Kind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly description?: string;
  readonly parent: { readonly apiVersion: string; readonly kind: string } | null;
  readonly versions: readonly {
    readonly name: string;
    readonly served: boolean;
    readonly storage: boolean;
    readonly additionalPrinterColumns?: readonly Column[];
  }[];
}

/** The kinds with what follows from all of them together. */
export class KindRegistry {
  readonly all: readonly Kind[];
  // There may be thousands, and a page asks for the parents of each.
  readonly #byPlural = new Map<string, Kind>();
  readonly #byKind = new Map<string, Kind>();
  readonly #children = new Map<Kind, Kind[]>();

  constructor(all: readonly Kind[]) {
    const hasIt = all.some(
      ({ plural, group }) => plural === organization.plural && group === organization.group,
    );
    this.all = hasIt || all.length === 0 ? all : [organization, ...all];
    for (const one of this.all) {
      this.#byPlural.set(`${one.group}/${one.plural}`, one);
      this.#byKind.set(`${one.group}/${one.kind}`, one);
    }
    for (const one of this.all) {
      const parent = one.parent === null ? undefined : this.byKind(one.parent.apiVersion, one.parent.kind);
      if (parent === undefined) continue;
      const siblings = this.#children.get(parent);
      if (siblings === undefined) this.#children.set(parent, [one]);
      else siblings.push(one);
    }
  }

  byPlural(group: string, plural: string): Kind | undefined {
    return this.#byPlural.get(`${group}/${plural}`);
  }

  /** The kind of a resource, whatever its version. */
  byKind(apiVersion: string, kind: string): Kind | undefined {
    const group = apiVersion.slice(0, apiVersion.lastIndexOf('/'));
    return this.#byKind.get(`${group}/${kind}`);
  }

  /** The kinds above, root first; null when one of them is not listed, or they form a circle. */
  ancestorsOf(kind: Kind): readonly Kind[] | null {
    const above: Kind[] = [];
    for (let at = kind; at.parent !== null; ) {
      const parent = this.byKind(at.parent.apiVersion, at.parent.kind);
      if (parent === undefined || above.includes(parent)) return null;
      above.unshift(parent);
      at = parent;
    }
    return above;
  }

  childrenOf(kind: Kind): readonly Kind[] {
    return this.#children.get(kind) ?? [];
  }
}

/** The kinds that are meant by a text: those first that are called so or begin with it. */
export function kindsNamed(kinds: readonly Kind[], text: string): readonly Kind[] {
  return bestMatches(kinds, namesOf, text);
}

/** Everything that a kind is called, its group last. */
export function namesOf({ plural, kind, group, shortNames = [] }: Kind): readonly string[] {
  return [plural, kind, ...shortNames, group];
}

/** The kind that a definition registers. */
export function kindOf(spec: DefinitionSpec): Kind {
  const { group, kind, plural, parent = null, versions, singular, shortNames, description } = spec;
  return {
    group,
    kind,
    plural,
    parent,
    ...(singular === undefined ? {} : { singular }),
    ...(shortNames === undefined ? {} : { shortNames }),
    ...(description === undefined ? {} : { description }),
    versions,
  };
}

/** Built-in, and the parent of most kinds: it has no definition, so it is added where only definitions are listed. */
const organization: Kind = {
  group: 'platform.dev',
  kind: 'Organization',
  plural: 'organizations',
  parent: null,
  versions: [{ name: 'v1alpha1', served: true, storage: true }],
};

/** The version that links use: the stored one when it is served, otherwise the first that is. */
export function preferredVersion(kind: Kind): string {
  const served = kind.versions.filter((one) => one.served);
  return (served.find((one) => one.storage) ?? served[0] ?? kind.versions[0])?.name ?? 'v1';
}

export function storageVersion(kind: Kind): string | undefined {
  return kind.versions.find((one) => one.storage)?.name;
}

/** The names of a definition's resource. */
export function definitionName(kind: Pick<Kind, 'group' | 'plural'>): string {
  return `${kind.plural}.${kind.group}`;
}

/** The group of the kinds that the platform brings along; they have no definition. */
export const platformGroup = 'platform.dev';

export function isBuiltIn(kind: Pick<Kind, 'group'>): boolean {
  return kind.group === platformGroup;
}

/** The ancestors of a table in a scope: the names of the scope as far as they go, then every name. */
export function ancestorsInScope(depth: number, scope: readonly string[]): readonly string[] {
  return Array.from({ length: depth }, (_, index) => scope[index] ?? '-');
}
