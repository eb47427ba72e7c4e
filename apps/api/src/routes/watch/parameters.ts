import type { Matches, Selectors, Shape } from '@platform/change-log';
import { Problem } from '@platform/kernel';
import { matchesFields, matchesLabels, parseSelectors, type View } from '@platform/resources';
import { z } from 'zod';
import type { Parameter } from '../../endpoint/documentation.ts';
import { refuseParameters } from '../../endpoint/query.ts';
import { viewField } from '../../endpoint/shared-docs.ts';
import { preferredType } from '../../http/accept.ts';

/** Seconds that a client may ask for. */
const longestSeconds = 3_600;

/** The query parameters of a path that can be watched. */
export const watchFields = {
  watch: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: '`true` streams changes instead of answering once; see docs/watch.md.' }),
  cursor: z.string().optional().meta({
    description:
      'With `watch=true`: only what changed after this point. Without it, the stream begins with the present state.',
  }),
  labelSelector: z.string().optional().meta({
    description:
      "Only resources with these labels, in Kubernetes' syntax; see docs/find.md. In a stream, one that starts to match is `ADDED`, one that stops is `DELETED`.",
  }),
  fieldSelector: z.string().optional().meta({
    description:
      'The same for `metadata.name`, `metadata.uid`, `metadata.deletionTimestamp`, `metadata.ownerReferences.uid` and the selectable fields of the version.',
  }),
  view: viewField,
  timeoutSeconds: z.int().min(1).max(longestSeconds).optional().meta({
    description:
      'With `watch=true`: the server ends the stream after so many seconds. By default it does after 30 to 60 minutes.',
  }),
};

/** The request headers of a path that can be watched. */
export const watchHeaders: readonly Parameter[] = [
  {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'A cursor, as browsers send it when they reconnect. It wins over `cursor`.',
    schema: { type: 'string' },
  },
];

/** The parameters of a stream. */
export interface WatchParameters {
  readonly cursor: string | null;
  /** Null for the default. */
  readonly timeoutSeconds: number | null;
  readonly format: Shape['format'];
  /** Null for every resource. */
  readonly matches: Matches | null;
  readonly view: View;
}

/** The selectors of a query: for the initial state of a stream, and for its changes. */
export interface WatchSelection {
  readonly selectors: Selectors;
  /** Null for every resource. */
  readonly matches: Matches | null;
}

/**
 * Reads the parameters of a stream; null when the request is for one answer. Throws `invalid_query` for parameters that the other kind of
 * request has, since a misunderstood one would go unnoticed. `selectable` are the fields of `spec` to select by.
 */
export function parseWatch(
  query: URLSearchParams,
  headers: { readonly accept?: string | undefined; readonly 'last-event-id'?: string | string[] | undefined },
  selectable: readonly string[],
): (WatchParameters & WatchSelection) | null {
  const watch = only(query, 'watch');
  if (watch !== null && watch !== 'true' && watch !== 'false') {
    throw new Problem('invalid_query', 'watch must be true or false.');
  }
  if (watch !== 'true') {
    refuseParameters(query, ['cursor', 'timeoutSeconds'], 'needs watch=true');
    return null;
  }
  refuseParameters(query, ['limit', 'continue', 'removed'], 'cannot be combined with watch=true');
  const seconds = only(query, 'timeoutSeconds');
  if (
    seconds !== null &&
    !(/^\d{1,4}$/.test(seconds) && Number(seconds) >= 1 && Number(seconds) <= longestSeconds)
  ) {
    throw new Problem('invalid_query', `timeoutSeconds must be one integer from 1 to ${longestSeconds}.`);
  }
  const lastEventId = headers['last-event-id'];
  const cursor = only(query, 'cursor');
  return {
    cursor: typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : cursor,
    timeoutSeconds: seconds === null ? null : Number(seconds),
    ...selectionOf(query, selectable),
    view: viewOf(query),
    format: formatOf(headers.accept),
  };
}

function formatOf(accept: string | undefined): Shape['format'] {
  const events = 'text/event-stream';
  return preferredType(accept, ['application/x-ndjson', events]) === events ? 'sse' : 'ndjson';
}

/** The labels and fields that a query selects. Throws `invalid_query`. */
export function selectionOf(query: URLSearchParams, selectable: readonly string[]): WatchSelection {
  const selectors = parseSelectors(
    { labels: query.getAll('labelSelector'), fields: query.getAll('fieldSelector') },
    selectable,
  );
  const { labels, fields } = selectors;
  if (labels.length + fields.length === 0) return { selectors, matches: null };
  const matches: Matches = (resource) =>
    matchesLabels(labels, resource.labels) && matchesFields(fields, resource);
  return { selectors, matches };
}

/** Which members of resources an answer shows. Throws `invalid_query`. */
export function viewOf(query: URLSearchParams): View {
  const view = only(query, 'view') ?? 'full';
  if (view === 'full' || view === 'metadata') return view;
  throw new Problem('invalid_query', 'view must be one of full and metadata.');
}

function only(query: URLSearchParams, name: string): string | null {
  const values = query.getAll(name);
  if (values.length > 1) throw new Problem('invalid_query', `Query parameter ${name} must appear once.`);
  return values[0] ?? null;
}
