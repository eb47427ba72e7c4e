import { type CallOptions, isPlatformError, type PlatformClient } from 'platform-service-client';
import { Failure } from '../failure.ts';
import { suggestionFor } from '../suggest.ts';
import { type TypedKind, typedKindOf, typedKinds } from '../typed/typed-kind.ts';
import { version } from '../version.ts';
import { builtInShortNames, type Kind, listedKind } from './kind.ts';

/** A kind that the user named, possibly with a version. */
export interface Resolved {
  readonly kind: Kind;
  readonly version: string | undefined;
}

interface KindPage {
  readonly items: readonly Omit<Kind, 'builtIn'>[];
  readonly metadata: { readonly continue?: string };
}

/** A replica of 0.24 has no list of kinds. It passes over query parameters that it does not know, so no command tries to do without. */
const olderService = new Failure(
  'failed',
  `the service, or one of its replicas, is of an older release than this command line (${version})`,
  'upgrade the service first, or use the command line of its release',
);

// The server limits the depth of kinds. This bound ends a cycle of definitions.
const maxDepth = 33;

/** The kinds of the platform, found by the names that users type. */
export class Catalog {
  readonly kinds: readonly Kind[];

  constructor(kinds: readonly Kind[]) {
    this.kinds = kinds;
  }

  /** Reads the kinds. Every caller that a role binding names may list them, but not always the definitions. */
  static async read(client: PlatformClient, { signal }: CallOptions): Promise<Catalog> {
    const kinds: Kind[] = [];
    let next: string | undefined;
    try {
      do {
        const query = { limit: 1000, continue: next };
        const { text } = await client.send({ method: 'GET', path: '/api/v1/resources', query, signal });
        const page = JSON.parse(text) as KindPage;
        kinds.push(...page.items.map(listedKind));
        next = page.metadata.continue;
      } while (next !== undefined);
    } catch (error) {
      if (isPlatformError(error, 'malformed_path')) throw olderService;
      throw error;
    }
    return new Catalog(kinds);
  }

  /** A copy with more kinds, which replace registered ones of the same name. */
  with(kinds: readonly Kind[]): Catalog {
    const isNew = (old: Kind) =>
      !kinds.some((kind) => kind.plural === old.plural && kind.group === old.group);
    const kept = this.kinds.filter((kind) => kind.builtIn || isNew(kind));
    return new Catalog([...kept, ...kinds]);
  }

  /** Finds a kind by `apiVersion` (its version is ignored) and `kind`. */
  find(apiVersion: string, kind: string): Kind | undefined {
    const group = apiVersion.split('/')[0];
    return this.kinds.find((known) => known.group === group && known.kind === kind);
  }

  /** The ancestor kinds, root first. */
  ancestorsOf(kind: Kind): readonly Kind[] {
    const ancestors: Kind[] = [];
    for (let next = kind.parent; next !== null && ancestors.length < maxDepth; ) {
      const parent = this.find(next.apiVersion, next.kind);
      if (parent === undefined)
        throw new Failure(
          'notFound',
          `parent kind ${next.kind} of ${next.apiVersion} does not exist`,
          'platform kinds lists the kinds',
        );
      ancestors.unshift(parent);
      next = parent.parent;
    }
    return ancestors;
  }

  /** The child kinds. */
  childrenOf(kind: Kind): readonly Kind[] {
    return this.kinds.filter(
      ({ parent }) => parent !== null && this.find(parent.apiVersion, parent.kind) === kind,
    );
  }

  /**
   * Finds a kind by its plural or kind in any case, a short name, or a unique prefix of the plural; each can be followed by `.group`
   * or `.version.group`. Throws a Failure when no kind or several kinds match.
   */
  resolve(text: string): Resolved {
    const [word = '', ...qualifier] = text.split('.');
    const qualified = qualifier.join('.');
    const candidates = this.kinds.flatMap((kind): Resolved[] => {
      if (qualified === '' || qualified === kind.group) return [{ kind, version: undefined }];
      const version = kind.versions.find(({ name }) => qualified === `${name}.${kind.group}`)?.name;
      return version === undefined ? [] : [{ kind, version }];
    });
    const name = word.toLowerCase();
    const plural = Object.hasOwn(builtInShortNames, name) ? builtInShortNames[name] : name;
    const named = candidates.filter(({ kind }) => kind.plural === plural || kind.kind.toLowerCase() === name);
    const short = ({ kind }: Resolved) => kind.singular === name || kind.shortNames?.includes(name) === true;
    // As in Kubernetes, a short name never hides the name of another kind.
    const exact = named.length > 0 ? named : candidates.filter(short);
    const prefixed = candidates.filter(({ kind }) => name !== '' && kind.plural.startsWith(name));
    const found = exact.length > 0 ? exact : prefixed;
    // `get` shows the typed kind of this name, so other commands must not use it for a resource kind.
    const typed = qualified === '' ? typedKindOf(word) : undefined;
    if (typed !== undefined) throw notAResourceKind(typed, exact[0]?.kind);
    const [only, another] = found;
    if (only === undefined) throw this.#unknownKind(text);
    if (another !== undefined) {
      const all = found.map(({ kind }) => `${kind.plural}.${kind.group}`);
      throw new Failure('usage', `kind ${text} is ambiguous: ${all.join(' or ')}`, 'use the full name');
    }
    return only;
  }

  /** The kinds of a category; none when there is no such category, or the word names a kind. */
  inCategory(word: string): readonly Kind[] {
    const name = word.toLowerCase();
    const isKind = this.kinds.some(({ plural, kind }) => plural === name || kind.toLowerCase() === name);
    return isKind ? [] : this.kinds.filter(({ categories }) => categories?.includes(name) === true);
  }

  #unknownKind(text: string): Failure {
    const names = [...this.kinds, ...typedKinds].flatMap(({ plural, kind }) => [plural, kind.toLowerCase()]);
    const message = `kind ${text} does not exist${suggestionFor(text, names)}`;
    return new Failure('notFound', message, 'platform kinds lists the kinds');
  }
}

function notAResourceKind({ plural }: TypedKind, resource: Kind | undefined): Failure {
  const other =
    resource === undefined ? '' : `; for the resource kind use ${resource.plural}.${resource.group}`;
  const hint = `projects, teams and what belongs to a project have no such command${other}`;
  return new Failure('usage', `${plural} is not a resource kind`, hint);
}
