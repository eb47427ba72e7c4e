import { isPlatformError, type PlatformClient } from 'platform-service-client';
import type { ResourceDocument } from '../documents/document.ts';
import type { ApplyResult } from '../documents/plan-writes.ts';
import { asDryRun } from '../dry-run.ts';
import { Failure } from '../failure.ts';
import { sameJson } from '../json.ts';
import { labelOf } from '../kinds/target.ts';
import { bodyOf, readTypedDocument, specOf } from './typed-document.ts';
import type { TypedItem, TypedKind } from './typed-kind.ts';
import { readTyped, readTypedItem, typedPath } from './typed-target.ts';

/** How typed documents become writes. */
export interface TypedWriteDeps {
  readonly client: PlatformClient;
  readonly dryRun: boolean;
  /** The project of documents without `in`. */
  readonly within: readonly string[];
  readonly signal: AbortSignal;
  /** Labels that a dry run has reported as created, which the server therefore does not know. */
  readonly tried: Set<string>;
  /** Whether to send ciphertexts although nothing else differs. */
  readonly resendSecrets: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The result of applying a typed document, with the secret that only the answer to a POST contains. */
export interface TypedResult extends ApplyResult {
  readonly secret?: { readonly member: string; readonly value: string };
}

/** A ciphertext, which no answer shows: whether it differs from the stored one is unknown. */
const ciphertext = 'client_secret_encrypted';
const shownOnce = ['bootstrap_credential', 'client_secret'];

// Attempts while another writer is faster.
const attempts = 5;

/** Creates the typed resource of a document, or changes the stored one to match it. A field that the document omits keeps its value. */
export async function writeTyped(
  document: ResourceDocument,
  kind: TypedKind,
  deps: TypedWriteDeps,
): Promise<TypedResult> {
  const { project, spec } = readTypedDocument(document, kind, deps.within);
  const ancestors = project === undefined ? [] : [project];
  if (dependsOnTried(kind, project, spec, deps.tried)) return created(kind, document, ancestors, spec, deps);
  for (let attempt = 1; ; attempt += 1) {
    const stored = await findStored(document, kind, { project, spec }, deps);
    if (stored === null) return await create(document, kind, { project, spec }, deps);
    try {
      return await replace(document, kind, { project, spec, stored }, deps);
    } catch (error) {
      const isRace =
        isPlatformError(error, 'precondition_failed') && document.metadata['revision'] === undefined;
      if (!isRace || attempt >= attempts) throw error;
    }
  }
}

interface Written {
  readonly project: string | undefined;
  readonly spec: Readonly<Record<string, unknown>>;
}

async function findStored(
  { name, source }: ResourceDocument,
  kind: TypedKind,
  { project, spec }: Written,
  { client, now, signal }: TypedWriteDeps,
): Promise<TypedItem | null> {
  if (kind.namedByServer && name === '')
    return await findUnnamed(kind, { project, spec }, { client, now, signal });
  const names = [...(project === undefined ? [] : [project]), name];
  try {
    return (await readTypedItem(client, { kind, names }, signal)).item;
  } catch (error) {
    // Only admins are told that a project or team does not exist; others are refused, and creating it tells which of both it was.
    if (!kind.inProject && isPlatformError(error, 'forbidden')) return null;
    if (!isPlatformError(error, 'not_found')) throw error;
    if (!kind.namedByServer) return null;
    const label = labelOf(kind.kind, names);
    throw new Failure(
      'notFound',
      `${source}: ${label} does not exist, and only the server names new ones`,
      'remove metadata.name to have one created',
    );
  }
}

/** A deployment without a name stands for any of its environment whose credential has not expired. */
async function findUnnamed(
  kind: TypedKind,
  { project, spec }: Written,
  { client, now, signal }: Pick<TypedWriteDeps, 'client' | 'now' | 'signal'>,
): Promise<TypedItem | null> {
  for await (const { item } of readTyped(client, { kind, names: [project as string] }, signal)) {
    const { expires_at: expires } = item as { expires_at?: string | null };
    const isValid = expires === null || expires === undefined || Date.parse(expires) > now;
    if (isValid && item['environment'] === spec['environment']) return item;
  }
  return null;
}

async function create(
  document: ResourceDocument,
  kind: TypedKind,
  { project, spec }: Written,
  deps: TypedWriteDeps,
): Promise<TypedResult> {
  const { client, dryRun, signal } = deps;
  const ancestors = project === undefined ? [] : [project];
  const { text } = await client.send({
    method: 'POST',
    path: typedPath(kind, ancestors),
    body: bodyOf(kind, document.name, spec),
    ...dryRunOf(deps),
    signal,
  });
  const item = client.json.parse(text) as TypedItem;
  if (dryRun) return created(kind, document, ancestors, specOf(kind, item), deps);
  const member = shownOnce.find((name) => typeof item[name] === 'string');
  return {
    label: labelOf(kind.kind, [...ancestors, item.name]),
    outcome: 'created',
    before: null,
    after: specOf(kind, item),
    ...(member === undefined ? {} : { secret: { member, value: item[member] as string } }),
  };
}

function created(
  kind: TypedKind,
  { name }: ResourceDocument,
  ancestors: readonly string[],
  after: object,
  { tried }: TypedWriteDeps,
): TypedResult {
  const label = labelOf(kind.kind, [...ancestors, name === '' ? '<new>' : name]);
  tried.add(label);
  return { label, outcome: 'created', before: null, after };
}

async function replace(
  document: ResourceDocument,
  kind: TypedKind,
  { project, spec, stored }: Written & { readonly stored: TypedItem },
  deps: TypedWriteDeps,
): Promise<TypedResult> {
  const { client, signal } = deps;
  const names = [...(project === undefined ? [] : [project]), stored.name];
  const label = labelOf(kind.kind, names);
  const before = specOf(kind, stored);
  requireRevision(stored, document, label);
  const { [ciphertext]: secret, ...wanted } = spec;
  const after = { ...before, ...wanted };
  const resends = secret !== undefined && deps.resendSecrets;
  if (sameJson(after, before) && !resends) return { label, outcome: 'unchanged', before, after: before };
  const body = bodyOf(kind, stored.name, secret === undefined ? after : { ...after, [ciphertext]: secret });
  const headers = { 'If-Match': `"${stored['uid']}.${stored['revision']}"` };
  const { text } = await client.send({
    method: 'PUT',
    path: typedPath(kind, names),
    body,
    headers,
    ...dryRunOf(deps),
    signal,
  });
  const item = client.json.parse(text) as TypedItem;
  const isSame = item['revision'] === stored['revision'];
  return { label, outcome: isSame ? 'unchanged' : 'configured', before, after: specOf(kind, item) };
}

/** The part of a request that a dry run adds. */
function dryRunOf({ dryRun }: { readonly dryRun: boolean }): Partial<typeof asDryRun> {
  return dryRun ? asDryRun : {};
}

/** Whether a dry run has reported something that the document needs: the server would refuse what it would accept in the real run. */
function dependsOnTried(
  kind: TypedKind,
  project: string | undefined,
  spec: Readonly<Record<string, unknown>>,
  tried: ReadonlySet<string>,
): boolean {
  const { organization, environment, owner } = spec as {
    organization?: string;
    environment?: string;
    owner?: { team?: string };
  };
  return [
    `project/${project}`,
    `organization/${organization}`,
    `team/${owner?.team}`,
    ...(kind.namedByServer ? [`environment/${project}/${environment}`] : []),
  ].some((label) => tried.has(label));
}

// `metadata.revision` in a file is a condition: only if the resource has not changed since.
function requireRevision(stored: TypedItem, { metadata, source }: ResourceDocument, label: string): void {
  const { revision } = metadata;
  if (revision === undefined || revision === null || sameJson(revision, stored['revision'])) return;
  throw new Failure(
    'conflict',
    `${source}: ${label} is at revision ${String(stored['revision'])}, but the file requires revision ${String(revision)}`,
    'read it again, or remove metadata.revision from the file',
  );
}
