import type { Resource } from '../api/resource.ts';

/** The state of a resource, in the words that the console shows everywhere. */
export type State = 'ready' | 'progressing' | 'warning' | 'failed' | 'deleting' | 'unknown';

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
}

/** The status that one controller has written. */
export interface Slot {
  readonly writer: string;
  readonly value: unknown;
  readonly conditions: readonly Condition[];
  /** The generation that the writer has seen; null when it does not say. */
  readonly observedGeneration: number | null;
}

export function slotsOf(resource: Pick<Resource, 'status'>): readonly Slot[] {
  return Object.entries(resource.status?.controllers ?? {}).map(([writer, value]) => {
    const members = isObject(value) ? value : {};
    const listed = members['conditions'];
    const conditions = Array.isArray(listed) ? listed.filter(isCondition) : [];
    const own = members['observedGeneration'];
    const seen = [own, ...conditions.map((one) => one.observedGeneration)].filter(
      (one): one is number => typeof one === 'number',
    );
    return { writer, value, conditions, observedGeneration: seen.length === 0 ? null : Math.min(...seen) };
  });
}

const bad = new Set(['Failed', 'Degraded', 'Stalled', 'Error']);
const busy = new Set(['Progressing', 'Reconciling', 'Updating']);
const good = new Set(['Ready', 'Available', 'Healthy', 'Synced', 'Established']);

export function conditionState({ type, status }: Condition): State {
  if (bad.has(type)) return status === 'True' ? 'failed' : status === 'False' ? 'ready' : 'unknown';
  if (busy.has(type)) return status === 'True' ? 'progressing' : 'ready';
  if (status === 'True') return 'ready';
  return status === 'False' ? (good.has(type) ? 'failed' : 'warning') : 'unknown';
}

const worst: readonly State[] = ['failed', 'warning', 'progressing', 'unknown', 'ready'];

/** The state of a whole resource: its deletion, then the worst of its conditions. */
export function stateOf(resource: Pick<Resource, 'status' | 'metadata'>): State {
  if (resource.metadata.deletionTimestamp !== undefined) return 'deleting';
  const slots = slotsOf(resource);
  const states = slots.flatMap(({ conditions }) => conditions.map(conditionState));
  const isBehind = slots.some(
    ({ observedGeneration }) =>
      observedGeneration !== null && observedGeneration < resource.metadata.generation,
  );
  if (isBehind) states.push('progressing');
  return worst.find((one) => states.includes(one)) ?? 'unknown';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCondition(value: unknown): value is Condition {
  return isObject(value) && typeof value['type'] === 'string' && typeof value['status'] === 'string';
}
