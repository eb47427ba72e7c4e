import { rowGrantsOf } from '@platform/access';
import { type Clock, Problem, pageBytes } from '@platform/kernel';
import type { Caller } from '../model/caller.ts';
import { envelopeBytes } from '../model/envelope.ts';
import { dnsSubdomainPattern, kindPattern, maxNameLength, parseUid } from '../model/names.ts';
import type { Resource } from '../model/resource.ts';
import type { NameMatch, SearchAccess, SearchPosition, SearchScope } from '../model/search.ts';
import type { ResourceReader } from '../ports/resource-reader.ts';
import { type LimitRule, parseLimit } from '../rules/page-limit.ts';
import { parseSelectors } from '../rules/parse-selectors.ts';
import { accessOf } from './caller-access.ts';
import { withoutUnreadable } from './sealed.ts';

/** The limit of a search. */
const searchLimit: LimitRule = { max: 1000, fallback: 100 };

/** Milliseconds after which no further names are looked at. A million names take a fraction of it. */
const maxMs = 2_000;
const nameCharacters = /^[a-z0-9.-]+$/;
const matches: readonly NameMatch[] = ['whole', 'prefix', 'part'];

/** The parameters of a search as a client sent them, each any number of times. */
export interface SentSearch {
  readonly q: readonly string[];
  readonly labelSelector: readonly string[];
  readonly kind: readonly string[];
  readonly limit: readonly string[];
}

/** A parsed search. */
export interface Search {
  readonly text: string;
  readonly scope: Omit<SearchScope, 'access'>;
  readonly limit: number;
}

/** Parses the parameters of a search. Throws `invalid_query`. */
export function parseSearch({ q, labelSelector, kind, limit }: SentSearch): Search {
  const [text = '', ...more] = q;
  if (more.length > 0 || text === '' || text.length > maxNameLength)
    throw new Problem('invalid_query', `q must be one text of 1 to ${maxNameLength} characters.`);
  const { labels } = parseSelectors({ labels: labelSelector, fields: [] }, []);
  // Names have no capital letters, but the keyboards of phones begin with one.
  return {
    text: text.toLowerCase(),
    scope: { labels, kind: parseKind(kind) },
    limit: parseLimit(limit, searchLimit),
  };
}

function parseKind([text, ...more]: readonly string[]): SearchScope['kind'] {
  if (text === undefined) return null;
  const dot = text.indexOf('.');
  const kind = dot === -1 ? text : text.slice(0, dot);
  const group = dot === -1 ? null : text.slice(dot + 1);
  const isGroup = group === null || (group.length <= maxNameLength && dnsSubdomainPattern.test(group));
  if (more.length > 0 || !kindPattern.test(kind) || !isGroup)
    throw new Problem('invalid_query', 'kind must be one kind, such as Page or Page.example.dev.');
  return { group, kind };
}

/** The answer to a search. */
export interface SearchResult {
  readonly items: readonly Resource[];
  /** False when the time, or the room of an answer, ended before every name was looked at. */
  readonly complete: boolean;
}

/**
 * Finds resources of every kind by their names, or one by its uid, of those that the caller may list: whole names first, then prefixes,
 * then the rest; each by name.
 */
export async function searchResources(
  reader: Pick<ResourceReader, 'search' | 'searchByUid'>,
  caller: Caller,
  { text, scope: asked, limit }: Search,
  clock: Clock,
): Promise<SearchResult> {
  const scope = { ...asked, access: searchAccessOf(caller) };
  const endsAt = clock.now() + maxMs;
  const uid = parseUid(text);
  const items: Resource[] = uid === null ? [] : [...(await reader.searchByUid(scope, uid))];
  const stages = nameCharacters.test(text) ? matches : [];
  let room = items.reduce((left, item) => left - bytesOf(item), pageBytes);
  let complete = true;
  for (const match of stages) {
    let after: SearchPosition | null = null;
    do {
      if (items.length >= limit) break;
      if (clock.now() >= endsAt) {
        complete = false;
        break;
      }
      const page = await reader.search(scope, { match, text }, { limit: limit - items.length, after });
      for (const item of page.items.filter((found) => found.uid !== uid)) {
        room -= bytesOf(item);
        if (room < 0 && items.length > 0) return { items: items.map(withoutUnreadable), complete: false };
        items.push(item);
      }
      after = page.next;
    } while (after !== null);
  }
  return { items: items.map(withoutUnreadable), complete };
}

function bytesOf({ metadata, spec, status }: Resource): number {
  return [metadata, spec, status].reduce((sum, text) => sum + Buffer.byteLength(text), envelopeBytes);
}

function searchAccessOf(caller: Caller): SearchAccess | null {
  if (caller.type === 'operator') return null;
  const { version, bindings } = accessOf(caller);
  const controllerId = caller.type === 'controller' && caller.reads === true ? caller.id : null;
  return { version, grants: rowGrantsOf(bindings, 'list'), controllerId };
}
