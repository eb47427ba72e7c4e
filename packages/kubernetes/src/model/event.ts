import { apiVersionOf, type KubernetesKind } from './kind.ts';
import { namespaceOfAncestors } from './namespace.ts';
import { objectVersion } from './resource-version.ts';

/** An entry of the history of a resource. */
export interface HistoryItem {
  readonly time: string;
  readonly operation: string;
  readonly removed: boolean;
  readonly actor: { readonly type: string; readonly id: string };
  readonly reason: string | null;
  readonly resource: {
    readonly uid: string;
    readonly revision: number;
    readonly name: string;
    readonly ancestors: readonly string[];
  };
}

/** An Event of the core group or of `events.k8s.io`, as far as others than its client read it. */
export interface KubernetesEvent {
  readonly kind: 'Event';
  readonly apiVersion: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly creationTimestamp: string;
    readonly resourceVersion: string;
  };
  readonly reason: string;
  readonly type: string;
}

const reasons: Readonly<Record<string, string>> = {
  create: 'Created',
  update: 'Updated',
  patch: 'Patched',
  apply: 'Applied',
  status: 'StatusWritten',
  finalizers: 'FinalizersChanged',
  delete: 'Deleted',
  cascade: 'DeletedWithOwner',
  collect: 'Collected',
  release: 'Released',
  restore: 'Restored',
};

/** Events of resources at the root are in this namespace, as in Kubernetes. */
export const rootNamespace = 'default';

/** The namespace of the events of a resource. */
function namespaceOfEvents(ancestors: readonly string[]): string {
  return ancestors.length === 0 ? rootNamespace : namespaceOfAncestors(ancestors);
}

/** An entry of a history as an Event, of the core group or of `events.k8s.io`. */
export function eventOf(
  { time, operation, removed, actor, reason, resource }: HistoryItem,
  kind: KubernetesKind,
  group: string,
): KubernetesEvent {
  const { uid, revision, name, ancestors } = resource;
  const seconds = `${time.slice(0, 19)}Z`;
  const component = actor.id === '' ? actor.type : actor.id;
  const who = actor.id === '' ? actor.type : `${actor.type} ${actor.id}`;
  const title = reasons[operation] ?? operation;
  const note = `${title} by ${who}, revision ${revision}${reason === null ? '' : `: ${reason}`}`;
  const resourceVersion = objectVersion({ uid, revision }, removed);
  const regarding = {
    kind: kind.kind,
    apiVersion: apiVersionOf(kind),
    name,
    uid,
    ...(ancestors.length === 0 ? {} : { namespace: namespaceOfAncestors(ancestors) }),
    resourceVersion,
  };
  const shared = {
    metadata: {
      name: eventName({ uid, revision, name, removed }),
      namespace: namespaceOfEvents(ancestors),
      uid: eventUid(uid, revision, removed),
      creationTimestamp: seconds,
      resourceVersion,
    },
    reason: title,
    type: 'Normal',
    action: operation,
    reportingInstance: component,
    eventTime: time.replace('Z', '000Z'),
  };
  if (group !== '') {
    return {
      kind: 'Event',
      apiVersion: `${group}/v1`,
      ...shared,
      regarding,
      note,
      reportingController: component,
      deprecatedSource: { component },
      deprecatedFirstTimestamp: seconds,
      deprecatedLastTimestamp: seconds,
      deprecatedCount: 1,
    } as KubernetesEvent;
  }
  return {
    kind: 'Event',
    apiVersion: 'v1',
    ...shared,
    involvedObject: regarding,
    message: note,
    reportingComponent: component,
    source: { component },
    firstTimestamp: seconds,
    lastTimestamp: seconds,
    count: 1,
  } as KubernetesEvent;
}

/** An entry of the change log that a name of an event names. */
export interface EventPlace {
  readonly uid: string;
  readonly revision: number;
  readonly removed: boolean;
}

/** Characters of the name of the object that its events have in theirs: names have at most 253. */
const shownName = 190;

function eventName({ name, uid, revision, removed }: EventPlace & { readonly name: string }): string {
  const place = `${uid.replaceAll('-', '')}.${revision}${removed ? '.removed' : ''}`;
  return `${name.slice(0, shownName)}.${place}`;
}

/** The entry that the name of an event names; null for any other name. */
export function placeOfEvent(eventName: string): EventPlace | null {
  const match =
    /\.([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})\.([1-9]\d{0,14})(\.removed)?$/.exec(
      eventName,
    );
  if (match === null) return null;
  return {
    uid: match.slice(1, 6).join('-'),
    revision: Number(match[6]),
    removed: match[7] !== undefined,
  };
}

/** A uid for the event itself, which differs from that of its object and of every other event. */
function eventUid(uid: string, revision: number, removed: boolean): string {
  const low = BigInt(`0x${uid.slice(-12)}`) ^ (BigInt(revision) * 2n + (removed ? 1n : 0n));
  return uid.slice(0, -12) + BigInt.asUintN(48, low).toString(16).padStart(12, '0');
}
