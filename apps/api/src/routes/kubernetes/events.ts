import { type Cursor, comparePlaces } from '@platform/change-log';
import { Problem } from '@platform/kernel';
import { type EventRenderer, eventRenderer, listVersion, statusOf } from '@platform/kubernetes';
import { type HistoryEntry, matchesLabels, parseSelectors, type Resource } from '@platform/resources';
import type { Answer } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import { actorOfPrincipal } from '../../http/audit.ts';
import { streamAnswer } from '../watch/stream-answer.ts';
import { expiredWhenForeign } from './cursor-of-object.ts';
import { EventSource } from './event-source.ts';
import { isWatch, type KubernetesDeps, requestedBy } from './object-request.ts';
import type { ObjectPath } from './path.ts';
import { errorEvent, userOf } from './refusal.ts';
import { representationOf } from './representation.ts';
import { requireWatchOptions } from './version-match.ts';
import { bookmarksOf, secondsOf, startOf, streamNumber } from './watch.ts';

/** Events are the entries of the change log, and only read. */
export async function eventsAnswer(
  deps: KubernetesDeps,
  call: Call,
  path: ObjectPath,
  query: URLSearchParams,
): Promise<Answer> {
  if (path.subresource !== null)
    throw new Problem('unknown_endpoint', 'the server could not find the requested resource');
  if (call.method !== 'GET' && call.method !== 'HEAD')
    throw new Problem('method_not_allowed', 'events are read only', { allow: ['GET'] });
  const representation = representationOf(call.headers.accept, query);
  const renderer = eventRenderer(representation, path.group, () => deps.clock.now());
  const contentType = renderer.mediaType;
  const source = await EventSource.of(deps, call, path);
  // Events have no labels.
  const { labels } = parseSelectors({ labels: query.getAll('labelSelector'), fields: [] }, []);
  const isShown = matchesLabels(labels, {});
  if (path.name !== null && !isWatch(query)) {
    return { status: 200, body: renderer.one(await source.named(path.name)), contentType };
  }
  const present = async () => (isShown ? await readPresent(deps, source) : await nothing(deps));
  if (isWatch(query)) requireWatchOptions(query);
  if (isWatch(query))
    return await watchEvents(deps, call, path, { query, source, renderer, present, isShown });
  const { entries, cursor } = await present();
  const events = entries.map((entry) => source.eventOf(entry)).filter((event) => event !== null);
  return {
    status: 200,
    contentType,
    body: renderer.list(events.reverse(), { resourceVersion: listVersion(cursor.text) }),
  };
}

interface Present {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** The point of the log after them. */
  readonly cursor: Cursor;
}

const nothing = async ({ watch }: KubernetesDeps): Promise<Present> => ({
  entries: [],
  cursor: await watch.feed.head(),
});

/** The entries, and a point of the log that is after every entry that they show and before every one that they cannot show. */
async function readPresent({ watch: { feed } }: KubernetesDeps, source: EventSource): Promise<Present> {
  let cursor = await feed.head();
  const entries = await source.entries();
  for (const entry of entries) {
    const own = entry.cursor === null ? null : await feed.parse(entry.cursor);
    if (own !== null && comparePlaces(own, cursor) > 0) cursor = own;
  }
  return { entries, cursor };
}

interface EventStream {
  readonly query: URLSearchParams;
  readonly source: EventSource;
  readonly renderer: EventRenderer;
  readonly present: () => Promise<Present>;
  readonly isShown: boolean;
}

/** A stream of everything that is logged, of which the entries of the request are shown. */
async function watchEvents(
  deps: KubernetesDeps,
  call: Call,
  path: ObjectPath,
  { query, source, renderer, present, isShown }: EventStream,
): Promise<Answer> {
  const { type, id } = actorOfPrincipal(call.context.principal);
  const initial = new Map<Resource, HistoryEntry>();
  const rendered = renderedBy(source, renderer);
  const answer = streamAnswer(deps.watch, call, {
    parameters: {
      cursor: await startOf(deps, query),
      timeoutSeconds: secondsOf(query.get('timeoutSeconds')),
      format: 'ndjson',
      view: 'full',
      matches: (resource) => isShown && source.shows(resource),
    },
    caller: `${type}:${id}`,
    version: null,
    sees: null,
    dialect: {
      name: `events ${streamNumber()}`,
      mediaType: 'application/json',
      initial: (resource) => rendered(initial.get(resource) ?? null),
      change: (_type, change) => rendered(change),
      bookmark: bookmarksOf(query, renderer),
      error: errorEvent,
    },
    renderProblem: (problem) =>
      JSON.stringify(statusOf(problem, requestedBy(path, 'GET', query), userOf(call))),
    async begin(from) {
      const scope = { kind: null, boundTo: null, name: null, uid: null, ancestors: null, depth: null };
      if (from !== null) return { scope, start: { cursor: await deps.watch.feed.parse(from) } };
      const { entries, cursor } = await present();
      for (const entry of [...entries].reverse()) initial.set({ ...entry.resource }, entry);
      const first = { items: [...initial.keys()], more: false, cursor };
      return { scope, start: { initial: { first, next: async () => first } } };
    },
    check: () => source.authorize(call),
  });
  return await answer.catch((error: unknown) => {
    throw expiredWhenForeign(error);
  });
}

/** How the stream writes an entry. Every entry is an event of its own, so it is only ever added. */
function renderedBy(source: EventSource, renderer: EventRenderer) {
  let isFirst = true;
  return (entry: Parameters<EventSource['eventOf']>[0] | null) => {
    const event = entry === null ? null : source.eventOf(entry);
    if (event === null) return null;
    const object = renderer.watched(event, isFirst);
    isFirst = false;
    return `{"type":"ADDED","object":${object}}`;
  };
}
