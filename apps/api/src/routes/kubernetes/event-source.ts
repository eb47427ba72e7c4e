import { type AccessRule, type EffectiveBinding, grantFor, grantsOf } from '@platform/access';
import { groupByKey, Problem } from '@platform/kernel';
import {
  ancestorsOfNamespace,
  apiVersionOf,
  builtInKinds,
  type EventSelector,
  eventOf,
  hasEventsIn,
  type KubernetesEvent,
  type KubernetesKind,
  parseEventSelector,
  placeOfEvent,
  rootNamespace,
} from '@platform/kubernetes';
import {
  accessDenied,
  type Caller,
  groupOf,
  type HistoryEntry,
  inPresentScopes,
  isOfKind,
  leases,
  type Resource,
  withConfirmedAccess,
} from '@platform/resources';
import type { Call } from '../../endpoint/call.ts';
import { identityOfPrincipal } from '../resources/call.ts';
import type { KubernetesDeps } from './object-request.ts';
import type { ObjectPath } from './path.ts';

/** Entries of one object that are shown, and of a namespace. Only so many of the newest entries of the log are looked at. */
const shown = { ofObject: 50, ofNamespace: 500, among: 10_000 };

/** Leaders write their Leases every few seconds; those entries would hide all others. */
const quietKind = leases;

async function everyKind({ directory }: KubernetesDeps): Promise<readonly KubernetesKind[]> {
  const known = await directory.known.all();
  return [...builtInKinds, ...known.map(({ kind }) => kind)];
}

/**
 * Whether bindings let the caller read the history of some kind. Most name no history at all, so that the kinds, of which there may be
 * thousands, need not be compared with them.
 */
function readsHistory(bindings: readonly EffectiveBinding[], kinds: readonly KubernetesKind[]): boolean {
  const named = bindings.filter(({ rules }) => rules.some(namesHistory));
  return kinds.some(({ stored: { group, plural } }) => {
    const request = { verb: 'get', group, resource: `${plural}/history`, name: undefined } as const;
    return grantsOf(named, request).length > 0;
  });
}

function namesHistory({ resources }: AccessRule): boolean {
  return resources.some((pattern) => pattern === '*' || /\/(?:history|\*)$/.test(pattern));
}

function storedKey({ group, kind }: { readonly group: string; readonly kind: string }): string {
  return `${kind}.${group}`;
}

/** Whether a request for events of this caller is answered: with those of the objects whose history it may read, in any namespace. */
export async function mayReadEvents(deps: KubernetesDeps, caller: Caller): Promise<boolean> {
  if (caller.type === 'operator') return true;
  const bindings = await inPresentScopes(deps.ports.reader, caller.access?.bindings ?? []);
  return readsHistory(bindings, await everyKind(deps));
}

/** The entries of the change log that a request for events may show: those that the caller may read as history. */
export class EventSource {
  readonly #deps: KubernetesDeps;
  readonly #path: ObjectPath;
  readonly #kinds: readonly KubernetesKind[];
  /** By what their objects are stored as: a kind is there once for each served version. */
  readonly #byStored: ReadonlyMap<string, readonly KubernetesKind[]>;
  readonly selector: EventSelector;
  #sees: (entry: Pick<HistoryEntry, 'resource' | 'scopeUids'>, plural: string) => boolean = () => false;

  private constructor(
    deps: KubernetesDeps,
    path: ObjectPath,
    query: URLSearchParams,
    kinds: readonly KubernetesKind[],
  ) {
    this.#deps = deps;
    this.#path = path;
    this.#kinds = kinds;
    this.#byStored = groupByKey(kinds.map((kind) => [storedKey(kind.stored), kind]));
    this.selector = parseEventSelector(query.get('fieldSelector') ?? '');
  }

  /** Reads the request. Throws `forbidden` for callers who may read no history. */
  static async of(deps: KubernetesDeps, call: Call, path: ObjectPath): Promise<EventSource> {
    const source = new EventSource(deps, path, call.searchParams, await everyKind(deps));
    await source.authorize(call);
    return source;
  }

  /** Finds out again what the caller may see. Throws `forbidden`. */
  async authorize(call: Call): Promise<void> {
    const identity = identityOfPrincipal(call.context.principal, this.#deps.readingControllers);
    await withConfirmedAccess(this.#deps.access, identity, async (caller) => {
      if (caller.type === 'operator') {
        this.#sees = () => true;
        return;
      }
      const bindings = await inPresentScopes(this.#deps.ports.reader, caller.access?.bindings ?? []);
      if (!readsHistory(bindings, this.#kinds)) throw accessDenied(caller);
      this.#sees = ({ resource: { uid, apiVersion, name, ancestorUids }, scopeUids }, plural) => {
        const group = groupOf(apiVersion);
        const request = { verb: 'get', group, resource: `${plural}/history`, name } as const;
        return (
          grantFor(grantsOf(bindings, request), { uid, name, within: [...ancestorUids, ...scopeUids] }) !==
          null
        );
      };
    });
  }

  /** The entries that the request may be about, newest first. */
  async entries(): Promise<readonly HistoryEntry[]> {
    const { history } = this.#deps.ports;
    const { namespace } = this.#path;
    const uid = this.selector.required('involvedObject.uid') || (await this.#uidOfNamed());
    if (uid !== null)
      return await history.entries(uid, { limit: shown.ofObject, before: null, scopes: null });
    const root: readonly (readonly string[])[] = namespace === rootNamespace ? [[]] : [];
    return await history.recent(
      {
        ancestors: namespace === null ? null : [ancestorsOfNamespace(namespace), ...root],
        without: quietKind.kind,
      },
      { limit: shown.ofNamespace, among: shown.among },
    );
  }

  /** The event of the name; throws `not_found`. */
  async named(name: string): Promise<KubernetesEvent> {
    const place = placeOfEvent(name);
    const before = { revision: (place?.revision ?? 0) + 1, seq: 0 };
    const entries =
      place === null
        ? []
        : await this.#deps.ports.history.entries(place.uid, { limit: 2, before, scopes: null });
    const events = entries.map((entry) => this.eventOf(entry)).filter((event) => event !== null);
    const found = events.find(({ metadata }) => metadata.name === name);
    if (found === undefined) throw new Problem('not_found', 'There is no such event.');
    return found;
  }

  /** The event that an entry is; null for one that the request does not select, or that the caller may not read. */
  eventOf(
    entry: Pick<
      HistoryEntry,
      'time' | 'operation' | 'removed' | 'actor' | 'reason' | 'resource' | 'scopeUids'
    >,
  ) {
    const { resource } = entry;
    if (!hasEventsIn(this.#path.namespace, resource.ancestors)) return null;
    const stored = { group: groupOf(resource.apiVersion), kind: resource.kind };
    const kinds = this.#byStored.get(storedKey(stored)) ?? [];
    const kind = kinds.find((one) => this.#isWanted(one)) ?? kinds[0];
    if (kind === undefined || !this.#sees(entry, kind.stored.plural)) return null;
    const event = eventOf(entry, kind, this.#path.group);
    return this.selector.matches(event) ? event : null;
  }

  /** Whether a stream of everything that happens shows a resource. */
  shows(resource: Resource): boolean {
    return !isOfKind(resource, quietKind) && hasEventsIn(this.#path.namespace, resource.ancestors);
  }

  /** Whether the selector names this kind, at this version if it names one: an object has the same events at every served version. */
  #isWanted(kind: KubernetesKind): boolean {
    const apiVersion = this.selector.required('involvedObject.apiVersion');
    return (
      kind.kind === this.selector.required('involvedObject.kind') &&
      (apiVersion === null || apiVersion === apiVersionOf(kind))
    );
  }

  /** The uid of the object that the selector names by kind and name; null when it names none, or there is none, or several kinds have the name. */
  async #uidOfNamed(): Promise<string | null> {
    const name = this.selector.required('involvedObject.name');
    const [kind, ...others] = this.#kinds.filter((one) => this.#isWanted(one));
    if (others.some(({ stored }) => stored.group !== kind?.stored.group)) return null;
    const namespace = this.selector.required('involvedObject.namespace') || this.#path.namespace;
    if (kind === undefined || !name || (kind.depth > 0 && namespace === null)) return null;
    const { group, plural } = kind.stored;
    return await this.#deps.catalog.resolve(group, plural, async ({ collection }) => {
      const ancestors = collection?.ancestors;
      const names = kind.depth === 0 ? [] : ancestorsOfNamespace(namespace ?? '');
      if (ancestors == null || names.length !== ancestors.length) return null;
      const steps = [...ancestors, kind.stored].map((one, at) => ({
        group: one.group,
        kind: one.kind,
        name: names[at] ?? name,
      }));
      return (await this.#deps.ports.reader.get({ by: 'path', steps }, null)).resource?.uid ?? null;
    });
  }
}
