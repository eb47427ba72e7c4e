import { Problem } from '@platform/kernel';
import {
  builtInKinds,
  type EventSubject,
  eventOf,
  type HistoryItem,
  listVersion,
  namespaceOfAncestors,
} from '@platform/kubernetes';
import { groupOf } from '@platform/resources';
import { type Answer, json } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import { nothingHere } from './empty-list.ts';
import { runNative } from './native-call.ts';
import type { KubernetesDeps } from './object-request.ts';
import type { ObjectPath } from './path.ts';

/** Entries of a history that are shown, newest first. */
const shown = 50;

/** Events of one object, which its history is. Without a selector for an object there are none. */
export async function listEvents(deps: KubernetesDeps, call: Call, path: ObjectPath): Promise<Answer> {
  if (call.method !== 'GET' || path.subresource !== null)
    throw new Problem('method_not_allowed', 'events are read only');
  if (path.name !== null) throw new Problem('not_found', 'events are listed by their object');
  const subject = await subjectOf(deps, call, path);
  const items =
    subject === null
      ? []
      : (await historyOf(deps, call, subject)).map((item) => eventOf(item, subject, path.group));
  const { cursor } = await nothingHere(deps);
  const apiVersion = path.group === '' ? 'v1' : `${path.group}/v1`;
  const metadata = { resourceVersion: listVersion(cursor) };
  return {
    ...json(200, { kind: 'EventList', apiVersion, metadata, items }),
    contentType: 'application/json',
  };
}

/** The object that the field selector names. */
async function subjectOf(deps: KubernetesDeps, call: Call, path: ObjectPath): Promise<EventSubject | null> {
  const selected = new Map(
    (call.searchParams.get('fieldSelector') ?? '').split(',').flatMap((term) => {
      const match = /^(?:involvedObject|regarding)\.(kind|name|namespace|uid)==?(.*)$/.exec(term.trim());
      return match === null ? [] : [[match[1] ?? '', match[2] ?? ''] as const];
    }),
  );
  const kinds = [...builtInKinds, ...(await deps.directory.all())];
  const uid = selected.get('uid');
  if (uid !== undefined && uid !== '') {
    const [entry] = await deps.ports.history.entries(uid, { limit: 1, before: null });
    if (entry === undefined) return null;
    const { apiVersion, kind: kindName, name, ancestors } = entry.resource;
    const kind = kinds.find(
      (one) => one.stored.kind === kindName && one.stored.group === groupOf(apiVersion),
    );
    const shownKind =
      kinds.find((one) => one.kind === selected.get('kind') && one.stored.kind === kindName) ?? kind;
    if (shownKind === undefined) return null;
    return {
      kind: shownKind,
      name,
      namespace: ancestors.length === 0 ? null : namespaceOfAncestors(ancestors),
    };
  }
  const kind = kinds.find((one) => one.kind === selected.get('kind'));
  const name = selected.get('name');
  if (kind === undefined || name === undefined) return null;
  const namespace = selected.get('namespace') || path.namespace;
  return { kind, name, namespace: kind.depth === 0 ? null : namespace };
}

async function historyOf(deps: KubernetesDeps, call: Call, { kind, namespace, name }: EventSubject) {
  try {
    const { body } = await runNative(deps, call, {
      ...{ method: 'GET', kind, namespace, name, subresource: 'history' },
      query: { limit: String(shown) },
    });
    return (JSON.parse(String(body)) as { readonly items: readonly HistoryItem[] }).items;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return [];
    throw error;
  }
}
