/** The kinds of a run: three levels of custom ones, and the built-in ones. */
export const kinds = ['Alpha', 'Beta', 'Gamma', 'Organization', 'ResourceDefinition'] as const;
export type Kind = (typeof kinds)[number];
export type CustomKind = 'Alpha' | 'Beta' | 'Gamma';

/** The kinds above each custom one, root-most first. */
export const ancestorsOf: Readonly<Record<CustomKind, readonly CustomKind[]>> = {
  Alpha: [],
  Beta: ['Alpha'],
  Gamma: ['Alpha', 'Beta'],
};

/** An item of a run by its place; the names are root-most first and end with its own. */
export interface Address {
  readonly kind: Kind;
  readonly names: readonly string[];
}

/** Separates the items of one run from those of all other runs on the same service. */
export class Run {
  readonly id: string;
  readonly group: string;

  constructor(id: string) {
    this.id = id;
    this.group = `${id}.example.dev`;
  }

  /** Plurals are unique across groups, so they carry the run as well. */
  plural(kind: Kind): string {
    if (kind === 'Organization') return 'organizations';
    if (kind === 'ResourceDefinition') return 'resourcedefinitions';
    return `${kind.toLowerCase()}s${this.id}`;
  }

  groupOf(kind: Kind): string {
    return isCustom(kind) ? this.group : 'platform.dev';
  }

  /** `/api/v1/resources/{group}/{version}/{plural}`. */
  collection(kind: Kind, version: string): string {
    const at = isCustom(kind) ? version : 'v1alpha1';
    return `/api/v1/resources/${this.groupOf(kind)}/${at}/${this.plural(kind)}`;
  }

  /** A collection that no kind has, in the group of the kind. */
  nowhere(kind: Kind): string {
    return `/api/v1/resources/${this.groupOf(kind)}/${isCustom(kind) ? 'v1' : 'v1alpha1'}/nowhere`;
  }

  /** The names of an item as they are on the service. */
  names(address: Address): readonly string[] {
    if (address.kind === 'Organization') return address.names.map((name) => `${name}-${this.id}`);
    if (address.kind === 'ResourceDefinition') {
      return address.names.map((kind) => `${this.plural(kind as CustomKind)}.${this.group}`);
    }
    return address.names;
  }

  name(address: Address): string {
    return this.names(address).at(-1) ?? '';
  }

  /** Whether a resource on the service is one of this run. */
  owns(resource: { readonly apiVersion: string; readonly metadata: { readonly name: string } }): boolean {
    return (
      resource.apiVersion.startsWith(`${this.group}/`) ||
      resource.metadata.name.endsWith(`.${this.group}`) ||
      resource.metadata.name.endsWith(`-${this.id}`)
    );
  }
}

export function isCustom(kind: Kind): kind is CustomKind {
  return kind === 'Alpha' || kind === 'Beta' || kind === 'Gamma';
}

export function labelOf({ kind, names }: Address): string {
  return `${kind}:${names.join('/')}`;
}

const names = ['a', 'b'];

/** Every item that a run can make, parents before children. */
export const everyItem: readonly Address[] = [
  ...names.map((name): Address => ({ kind: 'Alpha', names: [name] })),
  ...names.flatMap((one) => names.map((two): Address => ({ kind: 'Beta', names: [one, two] }))),
  ...names.flatMap((one) =>
    names.flatMap((two) => names.map((three): Address => ({ kind: 'Gamma', names: [one, two, three] }))),
  ),
  ...names.map((name): Address => ({ kind: 'Organization', names: [name] })),
];
