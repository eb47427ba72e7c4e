import fc from 'fast-check';
import { group } from './kinds.ts';

/** A row of the model: a farm, or a field below one. A row that is created again is another one. */
export interface ModelRow {
  readonly plural: 'farms' | 'fields';
  /** The names on the way to it, root first. */
  readonly names: readonly string[];
  readonly uid: string;
}

/** A role with the row that it is bound in and the subject that it is bound to. */
export interface Bound {
  readonly rule: {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly resourceNames?: readonly string[];
    readonly verbs: readonly string[];
  };
  readonly subject: { readonly kind: string; readonly name: string };
  /** The names on the way to the scope, root first; [] for everything. */
  readonly place: readonly string[];
}

/** A binding as it was stored: the uid of its scope, or null. */
export interface StoredBound extends Bound {
  readonly scope: string | null;
}

/** A use of a resource, as rules name it. */
export interface Use {
  readonly verb: string;
  /** `<plural>` or `<plural>/<part>`. */
  readonly resource: string;
  /** The names on the way to the item or the collection, root first; `-` for every name. */
  readonly names: readonly string[];
  /** Whether the last name is that of the item; it is that of the parent otherwise. */
  readonly isItem: boolean;
}

/** The answer that the reference expects. */
export interface Expected {
  readonly status: 200 | 403 | 404;
  /** The rows that a list shows, as paths of names. */
  readonly shown: readonly string[];
}

/** The subjects of the caller that the tests send requests as. */
const callers = [
  { kind: 'User', name: 'dev@example.dev' },
  { kind: 'Group', name: 'devs' },
];

export const bounds: fc.Arbitrary<readonly Bound[]> = fc.array(
  fc.record({
    rule: fc.record(
      {
        apiGroups: fc.subarray([group, '*', 'other.dev'], { minLength: 1 }),
        resources: fc.subarray(
          ['*', 'farms', 'fields', 'fields/status', 'fields/*', '*/status', '*/history'],
          { minLength: 1, maxLength: 2 },
        ),
        resourceNames: fc.subarray(['hill', 'north'], { minLength: 1 }),
        verbs: fc.subarray(['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', '*'], {
          minLength: 1,
          maxLength: 4,
        }),
      },
      { requiredKeys: ['apiGroups', 'resources', 'verbs'] },
    ),
    subject: fc.constantFrom(...callers, { kind: 'User', name: 'other@example.dev' }),
    place: fc.constantFrom([], ['hill'], ['dale'], ['hill', 'north']),
  }),
  { maxLength: 3 },
);

/** The rules of docs/access-control.md, on rows in memory. It shares no code with the service. */
export class Reference {
  readonly #rows: readonly ModelRow[];
  readonly #bindings: readonly StoredBound[];

  constructor(rows: readonly ModelRow[], bindings: readonly StoredBound[]) {
    this.#rows = rows;
    this.#bindings = bindings.filter(({ subject: { kind, name } }) =>
      callers.some((caller) => caller.kind === kind && caller.name === name),
    );
  }

  /** Whether some binding names the caller. */
  get isNamed(): boolean {
    return this.#bindings.length > 0;
  }

  expected(use: Use): Expected {
    if (use.verb === 'apply') return this.#apply(use);
    return use.verb === 'list' || (use.verb === 'watch' && !use.isItem) ? this.#list(use) : this.#single(use);
  }

  /** The rows of a kind with a name that the caller may list. */
  found(plural: string, name: string): readonly string[] {
    const shown = this.#rows.filter(
      (row) =>
        row.plural === plural &&
        row.names.at(-1) === name &&
        this.#bindings.some(
          (bound) => coversUse(bound, 'list', plural, name) && this.#isWithin(bound.scope, row),
        ),
    );
    return pathsOf(shown);
  }

  /** An item, or a new one in a collection. */
  #single({ verb, resource, names, isItem }: Use): Expected {
    const name = isItem ? (names.at(-1) ?? '') : null;
    const above = this.#reached(names);
    const grants = this.#bindings.filter((bound) => coversUse(bound, verb, resource, name));
    const isGranted = grants.some(({ scope }) => scope === null || above.some(({ uid }) => uid === scope));
    if (!isGranted) return refused;
    // A stream shows whatever will have the name.
    const needed = verb === 'watch' ? names.length - 1 : names.length;
    return { status: above.length >= needed ? 200 : 404, shown: [] };
  }

  /** A server-side apply: a patch, and a create of what does not exist. */
  #apply(use: Use): Expected {
    const patch = this.#single({ ...use, verb: 'patch' });
    if (patch.status !== 404) return patch;
    return this.#single({ ...use, verb: 'create', names: use.names.slice(0, -1), isItem: false });
  }

  #list({ verb, resource, names }: Use): Expected {
    const grants = this.#bindings.filter((bound) => coversUse(bound, verb, resource, null));
    const isAcross = names.length === 0 || names[0] === '-';
    if (!isAcross) {
      const above = this.#reached(names);
      const isGranted = grants.some(({ scope }) => scope === null || above.some(({ uid }) => uid === scope));
      if (!isGranted) return refused;
      const below = this.#rows.filter((row) => row.names.length === 2 && row.names[0] === names[0]);
      return above.length === 0 ? { status: 404, shown: [] } : { status: 200, shown: pathsOf(below) };
    }
    const present = grants.filter(
      ({ scope }) => scope === null || this.#rows.some(({ uid }) => uid === scope),
    );
    if (present.length === 0) return refused;
    const shown = this.#rows.filter(
      (row) => row.plural === resource && present.some(({ scope }) => this.#isWithin(scope, row)),
    );
    return { status: 200, shown: pathsOf(shown) };
  }

  /** The rows on the way to the names, as far as they exist. */
  #reached(names: readonly string[]): readonly ModelRow[] {
    const found: ModelRow[] = [];
    for (let depth = 1; depth <= names.length; depth += 1) {
      const path = names.slice(0, depth).join('/');
      const row = this.#rows.find((one) => one.names.join('/') === path);
      if (row === undefined) break;
      found.push(row);
    }
    return found;
  }

  #isWithin(scope: string | null, row: ModelRow): boolean {
    return scope === null || this.#reached(row.names).some(({ uid }) => uid === scope);
  }
}

const refused: Expected = { status: 403, shown: [] };

function pathsOf(rows: readonly ModelRow[]): readonly string[] {
  return rows.map(({ names }) => names.join('/')).sort();
}

function coversUse({ rule }: Bound, verb: string, of: string, name: string | null): boolean {
  const [plural, part] = of.split('/');
  const coversResource = rule.resources.some(
    (pattern) =>
      pattern === '*' ||
      pattern === of ||
      (part !== undefined && [`${plural}/*`, `*/${part}`].includes(pattern)),
  );
  return (
    coversResource &&
    (rule.verbs.includes('*') || rule.verbs.includes(verb)) &&
    (rule.apiGroups.includes('*') || rule.apiGroups.includes(group)) &&
    (rule.resourceNames === undefined || (name !== null && rule.resourceNames.includes(name)))
  );
}
