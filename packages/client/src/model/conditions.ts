/** One aspect of the state of a resource, as Kubernetes has it: a status slot keeps a list of them. */
export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  /** A word in CamelCase that programs can compare. */
  reason: string;
  /** For people. */
  message: string;
  /** When `status` last changed: RFC 3339. */
  lastTransitionTime: string;
  /** The `generation` that the condition was determined for. */
  observedGeneration?: number;
}

/** A condition as a controller states it. */
export type ConditionChange = Pick<Condition, 'type' | 'status' | 'reason'> & Partial<Condition>;

/**
 * The list with the condition in it, in place of an earlier one of its type. `lastTransitionTime` stays while `status` does, so that a
 * status that says the same as before is not written again. `now` is only used for a transition.
 */
export function withCondition(
  conditions: readonly Condition[] | undefined,
  change: ConditionChange,
  now: Date = new Date(),
): Condition[] {
  const before = findCondition(conditions, change.type);
  const since = before?.status === change.status ? before.lastTransitionTime : now.toISOString();
  const condition: Condition = { message: '', lastTransitionTime: since, ...change };
  const all = conditions ?? [];
  return before === undefined
    ? [...all, condition]
    : all.map((other) => (other.type === change.type ? condition : other));
}

/** The condition of a type; undefined when there is none. */
export function findCondition(
  conditions: readonly Condition[] | undefined,
  type: string,
): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether the condition is present and true; with `generation`, only when it was determined for that or a later one. */
export function isConditionTrue(
  conditions: readonly Condition[] | undefined,
  type: string,
  generation?: number,
): boolean {
  const condition = findCondition(conditions, type);
  if (condition?.status !== 'True') return false;
  return generation === undefined || (condition.observedGeneration ?? generation) >= generation;
}
