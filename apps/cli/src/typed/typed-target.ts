import { isPlatformError, type PlatformClient } from 'platform-service-client';
import { Failure } from '../failure.ts';
import { namesOf } from '../kinds/target.ts';
import { type TypedItem, type TypedKind, typedKinds } from './typed-kind.ts';

/** The typed kind and the names, project first, that the words of a command name. */
export interface TypedTarget {
  readonly kind: TypedKind;
  readonly names: readonly string[];
}

/** An item with the name of its project, if it belongs to one. */
export interface LocatedItem {
  readonly ancestors: readonly string[];
  readonly item: TypedItem;
}

/** The notation of an item of the kind, such as `environment/<project>/<name>`. */
function typedShapeOf({ kind, inProject }: TypedKind): string {
  return `${kind.toLowerCase()}/${inProject ? '<project>/' : ''}<name>`;
}

/** Reads the names after the kind. Throws a Failure when there are too many. */
export function readTypedTarget(kind: TypedKind, words: readonly string[], within?: string): TypedTarget {
  const names = namesOf(words, within);
  if (names.length > levelsOf(kind)) {
    throw new Failure('usage', `too many names: ${names.join('/')}`, `expected ${typedShapeOf(kind)}`);
  }
  if (names.some((name) => name.startsWith('uid:')))
    throw new Failure('usage', `${kind.plural} have no uid: form`, `expected ${typedShapeOf(kind)}`);
  return { kind, names };
}

/** Whether the target is one item, not a collection. */
export function isTypedItem({ kind, names }: TypedTarget): boolean {
  return names.length === levelsOf(kind);
}

/** Throws a Failure when the target is a collection. */
export function requireTypedItem(target: TypedTarget): TypedTarget {
  if (isTypedItem(target)) return target;
  throw new Failure(
    'usage',
    'this command needs the name of one resource',
    `expected ${typedShapeOf(target.kind)}`,
  );
}

/** Reads the named item. */
export async function readTypedItem(
  client: PlatformClient,
  { kind, names }: TypedTarget,
  signal: AbortSignal,
): Promise<LocatedItem> {
  const { text } = await client.send({ method: 'GET', path: typedPath(kind, names), signal });
  return { ancestors: names.slice(0, -1), item: client.json.parse(text) as TypedItem };
}

function levelsOf({ inProject }: TypedKind): number {
  return inProject ? 2 : 1;
}

/** Reads the named item, or all items of the collection. Without a project it reads all projects that the caller may see. */
export async function* readTyped(
  client: PlatformClient,
  { kind, names }: TypedTarget,
  signal: AbortSignal,
): AsyncGenerator<LocatedItem, void, undefined> {
  const ancestors = kind.inProject ? names.slice(0, 1) : [];
  if (kind.inProject && ancestors.length === 0) {
    const projects: TypedTarget = { kind: typedKinds[0] as TypedKind, names: [] };
    for await (const { item } of readTyped(client, projects, signal)) {
      try {
        yield* readTyped(client, { kind, names: [item.name] }, signal);
      } catch (error) {
        // The project was removed after it was listed.
        if (!isPlatformError(error, 'not_found')) throw error;
      }
    }
    return;
  }
  const name = names[ancestors.length];
  const path = typedPath(kind, names);
  if (name !== undefined) {
    yield await readTypedItem(client, { kind, names }, signal);
    return;
  }
  for (let next: string | undefined; ; ) {
    const query = { limit: 1000, continue: next };
    const { text } = await client.send({ method: 'GET', path, query, signal });
    const page = client.json.parse(text) as { items: TypedItem[]; continue?: string };
    for (const item of page.items) yield { ancestors, item };
    next = page.continue;
    if (next === undefined) return;
  }
}

/** The items that {@link readTyped} reads. */
export async function collectTyped(
  client: PlatformClient,
  target: TypedTarget,
  signal: AbortSignal,
): Promise<LocatedItem[]> {
  const all: LocatedItem[] = [];
  for await (const item of readTyped(client, target, signal)) all.push(item);
  return all;
}

/** The path of an item or a collection. */
export function typedPath({ plural, inProject }: TypedKind, names: readonly string[]): string {
  const [first, second] = names.map(encodeURIComponent);
  const segments = inProject ? ['projects', first, plural, second] : [plural, first];
  return `/api/v1/${segments.filter((segment) => segment !== undefined).join('/')}`;
}
