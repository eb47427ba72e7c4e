import { Failure } from '../failure.ts';
import type { Catalog } from '../kinds/catalog.ts';
import type { Kind } from '../kinds/kind.ts';
import { shapeOf } from '../kinds/target.ts';
import { suggestionFor } from '../suggest.ts';
import type { ResourceDocument } from './document.ts';

/** The kind, version and ancestors of a document. */
export interface ResolvedDocument {
  readonly kind: Kind;
  readonly version: string | undefined;
  /** The ancestor kinds and their names, root first; both have the same length. */
  readonly ancestorKinds: readonly Kind[];
  readonly ancestors: readonly string[];
}

/** Finds the kind of a document and its ancestors: `in` of the document, or `within`. Throws a Failure when they do not fit. */
export function resolveDocument(
  { apiVersion, kind: kindName, source, ancestors: own }: ResourceDocument,
  catalog: Catalog,
  within: readonly string[],
): ResolvedDocument {
  const version = apiVersion.split('/')[1];
  const kind = catalog.find(apiVersion, kindName);
  if (kind === undefined) {
    const group = apiVersion.split('/')[0];
    const near = suggestionFor(
      kindName,
      catalog.kinds.filter((known) => known.group === group).map((known) => known.kind.toLowerCase()),
    );
    const message = `${source}: kind ${kindName} of ${apiVersion} does not exist${near}`;
    throw new Failure('notFound', message, 'platform kinds lists the kinds');
  }
  const served = kind.versions.filter((each) => each.served).map(({ name }) => name);
  if (!served.includes(version ?? '')) {
    const message = `${source}: version ${version ?? ''} of ${kindName} is not served`;
    throw new Failure('notFound', message, `use ${served.join(' or ') || 'another kind'}`);
  }
  const ancestorKinds = catalog.ancestorsOf(kind);
  const ancestors = own ?? within;
  if (ancestors.length !== ancestorKinds.length)
    throw wrongAncestors(source, kind, ancestorKinds, own === undefined ? '--in' : '"in"', ancestors);
  return { kind, version, ancestorKinds, ancestors };
}

function wrongAncestors(
  source: string,
  kind: Kind,
  ancestorKinds: readonly Kind[],
  origin: string,
  given: readonly string[],
): Failure {
  const expected = ancestorKinds.map((ancestor) => `<${ancestor.kind.toLowerCase()}>`).join('/');
  if (ancestorKinds.length === 0)
    return new Failure(
      'invalid',
      `${source}: a ${kind.kind} has no parent, but ${origin} is ${given.join('/')}`,
      `remove ${origin}`,
    );
  const problem =
    given.length === 0
      ? `the ancestors of ${shapeOf(kind, ancestorKinds)} are missing`
      : `${origin} names ${given.length} of ${ancestorKinds.length} ancestors of ${shapeOf(kind, ancestorKinds)}: ${given.join('/')}`;
  return new Failure(
    'invalid',
    `${source}: ${problem}`,
    `add "in: ${expected}" to the document, or use --in`,
  );
}
