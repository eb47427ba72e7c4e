import { beginCollectionByNames, type Dialect, type Matches } from '@platform/change-log';
import { invalid, Problem } from '@platform/kernel';
import {
  isSecret,
  listVersion,
  type ObjectRenderer,
  parseResourceVersion,
  statusOf,
} from '@platform/kubernetes';
import { type ResolvedTarget, type Resource, selectableFields } from '@platform/resources';
import type { Answer } from '../../endpoint/answer.ts';
import { actorOfPrincipal } from '../../http/audit.ts';
import { streamVisibility } from '../resources/watch.ts';
import { selectionOf } from '../watch/parameters.ts';
import { streamAnswer } from '../watch/stream-answer.ts';
import { cursorOf, expiredWhenForeign } from './cursor-of-object.ts';
import { nothingHere } from './empty-list.ts';
import { type NativeRequest, nativePath, runNative } from './native-call.ts';
import { flagOf, type KubernetesDeps, type ObjectRequest, requestedBy } from './object-request.ts';
import { OpenedSecrets } from './opened-secrets.ts';
import { errorEvent, userOf } from './refusal.ts';
import { selectorsOf } from './selectors.ts';
import { requireWatchOptions } from './version-match.ts';

/** Seconds of a stream, at most. */
const longestSeconds = 3_600;

/** `watch`. */
export async function watchObjects(deps: KubernetesDeps, request: ObjectRequest): Promise<Answer> {
  const { call, kind, path, query } = request;
  const selectors = selectorsOf(request);
  requireWatchOptions(query);
  const secrets = isSecret(kind) ? await OpenedSecrets.of(deps, call) : null;
  const selected = new URLSearchParams({
    ...(selectors.labelSelector === null ? {} : { labelSelector: selectors.labelSelector }),
    ...(selectors.fieldSelector === null ? {} : { fieldSelector: selectors.fieldSelector }),
  });
  const parameters = {
    cursor: await startOf(deps, query),
    timeoutSeconds: secondsOf(query.get('timeoutSeconds')),
    format: 'ndjson' as const,
    view: 'full' as const,
  };
  const { type, id } = actorOfPrincipal(call.context.principal);
  const native: NativeRequest = {
    method: 'GET',
    kind,
    namespace: selectors.namespace,
    query: { watch: 'true', fieldSelector: selectors.fieldSelector },
    watch: (target) => {
      const { selectors: selection, matches } = selectionOf(selected, selectableOf(target));
      const visible = streamVisibility(deps, target, call.context.principal, nativePath(native));
      return streamAnswer(deps.watch, call, {
        sees: visible.sees,
        async check() {
          await visible.check();
          await secrets?.authorize();
        },
        parameters: {
          ...parameters,
          matches: bothOf(selectors.matches, matches),
        },
        caller: `${type}:${id}`,
        version: target.version,
        dialect: dialectOf(request, secrets),
        renderProblem: (problem) =>
          JSON.stringify(statusOf(problem, requestedBy(path, 'GET', query), userOf(call))),
        begin(cursor) {
          if (target.form !== 'collection') throw new Error('objects are watched in their collection');
          return beginCollectionByNames(deps.watch, {
            target,
            cursor,
            scopes: visible.scopes,
            selectors: selection,
          });
        },
      });
    },
  };
  return await runNative(deps, call, native).catch((error: unknown) => {
    throw expiredWhenForeign(error);
  });
}

function bothOf(one: Matches | null, other: Matches | null): Matches | null {
  if (one === null || other === null) return one ?? other;
  const both: Matches = (resource) => one(resource) && other(resource);
  return one.readsStatus || other.readsStatus ? Object.assign(both, { readsStatus: true as const }) : both;
}

/** The fields of `spec` that the version of the target may be selected by. */
function selectableOf({ collection, version }: ResolvedTarget): readonly string[] {
  return collection === null ? [] : selectableFields(collection, version);
}

/** Where the stream starts: a cursor, or null to begin with the present state. */
export async function startOf(deps: KubernetesDeps, query: URLSearchParams): Promise<string | null> {
  const sends = flagOf(query, 'sendInitialEvents');
  if (sends === true) return null;
  const text = query.get('resourceVersion') ?? '';
  if (text === '' || text === '0') return sends === false ? (await nothingHere(deps)).cursor : null;
  const version = parseResourceVersion(text);
  if (version === null)
    throw invalid([{ path: '/resourceVersion', message: 'must be a number that was read' }]);
  return await cursorOf(deps, version);
}

export function secondsOf(text: string | null): number | null {
  if (text === null || text === '' || text === '0') return null;
  if (!/^\d{1,9}$/.test(text)) throw new Problem('invalid_query', 'timeoutSeconds must be a number');
  return Math.min(longestSeconds, Number(text));
}

/** Streams so far. */
let streams = 0;

/** A number for a stream whose bytes differ from those of every other. */
export function streamNumber(): number {
  streams += 1;
  return streams;
}

/** The bookmarks of a stream, which a client asks for. That of the end of the initial events has the list that the client fills with them. */
export function bookmarksOf(
  query: URLSearchParams,
  { bookmark, emptyList }: Pick<ObjectRenderer, 'bookmark' | 'emptyList'>,
): Dialect['bookmark'] {
  const withBookmarks = flagOf(query, 'allowWatchBookmarks') ?? false;
  const withInitialEnd = flagOf(query, 'sendInitialEvents') ?? false;
  const initialEnd = {
    'k8s.io/initial-events-end': 'true',
    'kubernetes.io/initial-events-list-blueprint': Buffer.from(emptyList).toString('base64'),
  };
  return (cursor, isInitial) => {
    if (!withBookmarks) return null;
    const annotations = isInitial && withInitialEnd ? { annotations: initialEnd } : {};
    return `{"type":"BOOKMARK","object":${bookmark({ resourceVersion: listVersion(cursor.text), ...annotations })}}`;
  };
}

/** The events of a stream in the form of Kubernetes. */
function dialectOf({ renderer, query, kind }: ObjectRequest, secrets: OpenedSecrets | null): Dialect {
  const number = streamNumber();
  const shown = (resource: Resource) => secrets?.open(resource) ?? resource;
  const isTable = renderer.mediaType.includes('as=Table');
  let isFirst = true;
  const first = () => {
    const was = isFirst;
    isFirst = false;
    return was;
  };
  return {
    // The first event of a table has its columns, and Secrets are shown as each caller may read them.
    name:
      isTable || secrets !== null
        ? `stream ${number}`
        : `${renderer.mediaType} ${kind.group}/${kind.version} ${kind.kind}`,
    mediaType: 'application/json',
    initial: (resource) =>
      `{"type":"ADDED","object":${renderer.event(shown(resource), { isFirst: first() })}}`,
    change: (type, { resource, removed }) =>
      `{"type":"${type}","object":${renderer.event(shown(resource), { isFirst: first(), removed })}}`,
    bookmark: bookmarksOf(query, renderer),
    error: errorEvent,
  };
}
