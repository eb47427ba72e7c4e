import { apiVersionOf, type KubernetesKind } from './kind.ts';
import { objectVersion } from './resource-version.ts';

/** An entry of the history of a resource. */
export interface HistoryItem {
  readonly uid: string;
  readonly revision: number;
  readonly time: string;
  readonly operation: string;
  readonly removed: boolean;
  readonly actor: { readonly type: string; readonly id: string };
  readonly reason?: string;
}

/** The resource that a history is of. */
export interface EventSubject {
  readonly kind: KubernetesKind;
  readonly namespace: string | null;
  readonly name: string;
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
const rootNamespace = 'default';

/** An entry of a history as an Event, of the core group or of `events.k8s.io`. */
export function eventOf(item: HistoryItem, { kind, namespace, name }: EventSubject, group: string): object {
  const { uid, revision, time, operation, removed, actor, reason } = item;
  const seconds = `${time.slice(0, 19)}Z`;
  const component = actor.id === '' ? actor.type : actor.id;
  const note = `${reasons[operation] ?? operation} by ${actor.type} ${actor.id}, revision ${revision}${reason === undefined ? '' : `: ${reason}`}`;
  const regarding = {
    ...{ kind: kind.kind, apiVersion: apiVersionOf(kind), name, uid },
    ...(namespace === null ? {} : { namespace }),
    resourceVersion: objectVersion({ uid, revision }, removed),
  };
  const shared = {
    metadata: {
      name: `${name}.${revision}${removed ? '.removed' : ''}`,
      ...{ namespace: namespace ?? rootNamespace, uid, creationTimestamp: seconds },
      resourceVersion: objectVersion({ uid, revision }, removed),
    },
    ...{ reason: reasons[operation] ?? operation, type: 'Normal', action: operation },
    ...{ reportingInstance: component, eventTime: time.replace('Z', '000Z') },
  };
  if (group !== '') {
    return {
      ...{ kind: 'Event', apiVersion: `${group}/v1`, ...shared, regarding, note },
      ...{ reportingController: component, deprecatedSource: { component } },
      ...{ deprecatedFirstTimestamp: seconds, deprecatedLastTimestamp: seconds, deprecatedCount: 1 },
    };
  }
  return {
    ...{ kind: 'Event', apiVersion: 'v1', ...shared, involvedObject: regarding, message: note },
    ...{ reportingComponent: component, source: { component } },
    ...{ firstTimestamp: seconds, lastTimestamp: seconds, count: 1 },
  };
}
