import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem } from '@platform/kernel';
import {
  type CollectionTarget,
  canonicalPath,
  diffJson,
  type HistoryEntry,
  type HistoryPage,
  historyLimit,
  type ItemTarget,
  isAcrossParents,
  listLimit,
  listRemoved,
  numbersToken,
  parseLimit,
  parseNumbers,
  parseValue,
  readHistory,
  readRevision,
  renderPage,
  type View,
} from '@platform/resources';
import { z } from 'zod';
import type { Answer } from '../../endpoint/answer.ts';
import { ref } from '../../endpoint/documentation.ts';
import { flagOf, refuseParameters } from '../../endpoint/query.ts';
import { viewField } from '../../endpoint/shared-docs.ts';
import { viewOf } from '../watch/parameters.ts';
import { envelopeAt, type ResourceCall } from './call.ts';
import { addressing, type ResourceOperation } from './operation.ts';

/** `GET .../history` and `.../history/{revision}`. */
export const history: ResourceOperation<ItemTarget> = {
  form: 'history',
  method: 'GET',
  verb: 'get',
  // The row is read first; for one that is gone, the access is checked before its entries are read.
  comparesGuard: true,
  summary: (kind) => `Read the history of ${kind}`,
  description:
    'Newest first, as far as the change log reaches back; by uid also after the removal. `history/{revision}` is the resource then.',
  query: z.object({
    limit: z
      .int()
      .min(1)
      .max(historyLimit.max)
      .default(historyLimit.fallback)
      .meta({ description: 'The largest number of entries.' }),
    continue: z.string().optional().meta({ description: 'The `continue` of the previous page.' }),
    full: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: 'Whether each entry has the resource as `object`.' }),
    view: viewField,
  }),
  responses: () => ({ 200: { description: 'A page of entries.', schema: ref('History') } }),
  problems: addressing,
  async run({ ports, caller, requestId, path, query }, target) {
    const parameters = query();
    const view = viewOf(parameters);
    if (target.revision !== null) {
      refuseParameters(parameters, ['limit', 'continue', 'full'], 'needs a history without a revision');
      const resource = await readRevision(ports, { caller, requestId, target, revision: target.revision });
      return { status: 200, body: envelopeAt(resource, target, view) };
    }
    const limit = parseLimit(parameters.getAll('limit'), historyLimit);
    const list = canonicalPath(path);
    const [revision, seq] = parseNumbers(parameters.getAll('continue'), list, 2) ?? [];
    const before = revision === undefined || seq === undefined ? null : { revision, seq };
    const page = await readHistory(ports, { caller, requestId, target, limit, before });
    const objects = flagOf(parameters, 'full') ? view : null;
    return await pageOf(
      page,
      (entry) => renderEntry(entry, target, objects),
      ({ resource, seq: last }) => numbersToken(list, resource.revision, last),
    );
  },
};

/** `.../history/{revision}`, as the document shows it: {@link history} serves both. */
export const historyRevision: Omit<ResourceOperation<ItemTarget>, 'comparesGuard' | 'run' | 'form'> = {
  method: 'GET',
  verb: 'get',
  summary: (kind) => `Read an earlier revision of ${kind}`,
  description: 'By uid also after the removal; 404 when the change log no longer reaches back to it.',
  query: z.object({ view: viewField }),
  responses: (shown) => ({ 200: { description: 'The resource at the revision.', ...shown } }),
  problems: addressing,
};

/** `GET` of a collection with `removed=true`. */
export async function listRemovedResources(
  { ports, caller, requestId, path, query }: ResourceCall,
  target: CollectionTarget,
  view: View,
): Promise<Answer> {
  const parameters = query();
  refuseParameters(parameters, ['labelSelector', 'fieldSelector'], 'cannot be combined with removed=true');
  if (isAcrossParents(target.ref)) {
    throw new Problem('invalid_query', 'removed=true needs the name of every ancestor.');
  }
  const limit = parseLimit(parameters.getAll('limit'), listLimit);
  const list = canonicalPath(path);
  const [before = null] = parseNumbers(parameters.getAll('continue'), list, 1) ?? [];
  const page = await listRemoved(ports, { caller, requestId, target, limit, before });
  const { collection, version } = target;
  const last = page.entries.at(-1);
  const next = page.more && last !== undefined ? numbersToken(list, last.seq) : null;
  const items = page.entries.map((entry) => renderRemoved(entry, target, view));
  const body = renderPage(items, `${collection.group}/${version}`, `${collection.kind}List`, {
    next,
    cursor: page.cursor,
  });
  return { status: 200, body };
}

async function pageOf(
  { entries, more }: HistoryPage,
  render: (entry: HistoryEntry) => string,
  tokenOf: (last: HistoryEntry) => string,
): Promise<Answer> {
  const last = entries.at(-1);
  const metadata = more && last !== undefined ? JSON.stringify({ continue: tokenOf(last) }) : '{}';
  return { status: 200, body: `{"metadata":${metadata},"items":${await renderEntries(entries, render)}}` };
}

/** Characters of stored resources whose entries are written without a break for other requests. */
const atOnce = 256 * 1024;

/**
 * The entries as a list in JSON.
 *
 * Attack: a caller reads the history of a resource of a megabyte with many revisions, and nothing else runs while they are compared.
 */
export async function renderEntries(
  entries: readonly HistoryEntry[],
  render: (entry: HistoryEntry) => string,
): Promise<string> {
  const items: string[] = [];
  let sinceBreak = 0;
  for (const entry of entries) {
    sinceBreak += entry.resource.spec.length + entry.resource.metadata.length + entry.resource.status.length;
    if (sinceBreak > atOnce) {
      await nextTurn();
      sinceBreak = 0;
    }
    items.push(render(entry));
  }
  return `[${items.join(',')}]`;
}

/** An entry as JSON, at the version of the target; with the resource in that view, or without it. */
export function renderEntry(entry: HistoryEntry, target: ItemTarget, objects: View | null): string {
  const { cursor, time, actor, requestId, operation, removed, reason, cascadeId, resource } = entry;
  const members = JSON.stringify({
    ...(cursor === null ? {} : { cursor }),
    uid: resource.uid,
    revision: resource.revision,
    time,
    actor,
    requestId,
    operation,
    removed,
    ...(reason === null ? {} : { reason }),
    ...(cascadeId === null ? {} : { cascadeId }),
    generation: resource.generation,
  });
  const object = objects === null ? '' : `,"object":${envelopeAt(resource, target, objects)}`;
  return `${members.slice(0, -1)},"changes":${renderChanges(entry, target)}${object}}`;
}

/** Null where the log does not reach back to the revision before. */
function renderChanges({ previous, resource, removed }: HistoryEntry, target: ItemTarget): string {
  if (removed || resource.revision === 1) return '[]';
  if (previous === null) return 'null';
  return diffJson(parseValue(envelopeAt(previous, target)), parseValue(envelopeAt(resource, target)));
}

function renderRemoved(
  { time, actor, cascadeId, resource }: HistoryEntry,
  target: CollectionTarget,
  view: View,
): string {
  const removal = JSON.stringify({ removedAt: time, actor, cascadeId });
  return `${envelopeAt(resource, target, view).slice(0, -1)},${removal.slice(1)}`;
}
