import type { CallOptions, PlatformClient } from '@platform/client';
import { Failure } from '../failure.ts';
import { type TypedKind, typedKindOf } from '../typed/typed-kind.ts';
import { builtInKinds, definitionKind, type Kind, kindOfDefinition, pathOf, shortNames } from './kind.ts';

/** A kind that a person has named, perhaps with a version. */
export interface Resolved {
  readonly kind: Kind;
  readonly version: string | undefined;
}

/** Every kind that the platform has, and what people may call it. */
export class Catalog {
  readonly kinds: readonly Kind[];

  constructor(registered: readonly Kind[]) {
    this.kinds = [...builtInKinds, ...registered];
  }

  /** Reads the definitions. */
  static async read(client: PlatformClient, options: CallOptions): Promise<Catalog> {
    const kinds: Kind[] = [];
    for await (const { spec } of client.resources(pathOf(definitionKind)).list({ limit: 1000, ...options })) {
      const kind = kindOfDefinition(spec);
      if (kind !== null) kinds.push(kind);
    }
    return new Catalog(kinds);
  }

  /** The same with further kinds, which come first. */
  with(kinds: readonly Kind[]): Catalog {
    const isNew = (old: Kind) =>
      !kinds.some((kind) => kind.plural === old.plural && kind.group === old.group);
    return new Catalog([...kinds, ...this.kinds.filter((kind) => !kind.builtIn && isNew(kind))]);
  }

  /** The kind with this group and kind, as an envelope names it. */
  find(apiVersion: string, kind: string): Kind | undefined {
    const group = apiVersion.split('/')[0];
    return this.kinds.find((known) => known.group === group && known.kind === kind);
  }

  /** The kinds above it, the root-most first. */
  ancestorsOf(kind: Kind): readonly Kind[] {
    const above: Kind[] = [];
    for (let next = kind.parent; next !== null && above.length < 33; ) {
      const parent = this.find(next.apiVersion, next.kind);
      if (parent === undefined)
        throw new Failure('notFound', `nothing defines ${next.kind} of ${next.apiVersion}`, 'platform kinds');
      above.unshift(parent);
      next = parent.parent;
    }
    return above;
  }

  /** The kinds whose parent it is. */
  childrenOf(kind: Kind): readonly Kind[] {
    return this.kinds.filter(
      ({ parent }) => parent !== null && this.find(parent.apiVersion, parent.kind) === kind,
    );
  }

  /**
   * The kind that a person means: its plural or kind in any case, a short name, the beginning of a plural; each also with
   * `.group` or `.version.group` after it. Throws a Failure when there is none, or more than one.
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
    const plural = Object.hasOwn(shortNames, name) ? shortNames[name] : name;
    const exact = candidates.filter(({ kind }) => kind.plural === plural || kind.kind.toLowerCase() === name);
    const begun = candidates.filter(({ kind }) => name !== '' && kind.plural.startsWith(name));
    const found = exact.length > 0 ? exact : begun;
    // `get` shows the typed one for this name: no other command may take it for another kind.
    const typed = qualified === '' ? typedKindOf(word) : undefined;
    if (typed !== undefined) throw typedRefusal(typed, exact[0]?.kind);
    const [only, another] = found;
    if (only === undefined) throw new Failure('notFound', `there is no kind ${text}`, 'platform kinds');
    if (another !== undefined) {
      const all = found.map(({ kind }) => `${kind.plural}.${kind.group}`);
      throw new Failure('usage', `${text} may be ${all.join(' or ')}`, 'write it out');
    }
    return only;
  }
}

/** What is said when a typed kind is named where only resources will do. */
function typedRefusal({ plural }: TypedKind, resource: Kind | undefined): Failure {
  const also = resource === undefined ? '' : `; or is it ${resource.plural}.${resource.group}?`;
  const way = `platform get shows them, platform api changes them${also}`;
  return new Failure('usage', `this command is for resources, which ${plural} are not`, way);
}
