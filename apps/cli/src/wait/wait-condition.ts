import type { Resource } from 'platform-service-client';
import { Failure } from '../failure.ts';
import { readJsonPath, valueAt } from './json-path.ts';

/** The state that `wait --for` waits for. */
export interface WaitCondition {
  /** Whether this state meets the condition; null stands for a resource that does not exist. */
  readonly isMet: (resource: Resource | null) => boolean;
  /** Whether the resource must exist from the beginning. */
  readonly needsResource: boolean;
  /** The word for the result, as `kubectl wait` says it. */
  readonly result: string;
}

/** Reads `delete`, `create`, `condition=<type>[=<status>]` or `jsonpath=<path>[=<value>]`. Throws a Failure for anything else. */
export function readWaitCondition(text: string, slot?: string): WaitCondition {
  if (text === 'delete') {
    return { isMet: (resource) => resource === null, needsResource: false, result: 'deleted' };
  }
  if (text === 'create') {
    return { isMet: (resource) => resource !== null, needsResource: false, result: 'exists' };
  }
  const met = { needsResource: true, result: 'condition met' };
  const condition = /^condition=([^=]+)(?:=(.*))?$/s.exec(text);
  if (condition !== null) {
    const [, type = '', status = 'True'] = condition;
    return { ...met, isMet: (resource) => resource !== null && hasCondition(resource, type, status, slot) };
  }
  const jsonPath = /^jsonpath=(\{[^}]*\}|[^=]+)(?:=(.*))?$/s.exec(text);
  if (jsonPath !== null) {
    const [, expression = '', value] = jsonPath;
    const path = readJsonPath(expression);
    return { ...met, isMet: (resource) => resource !== null && matches(valueAt(resource, path), value) };
  }
  throw new Failure(
    'usage',
    `invalid --for: ${text}`,
    'expected delete, create, condition=<type>[=<status>] or jsonpath=<path>[=<value>]',
  );
}

/** Without a value, any value will do. */
function matches(found: unknown, value: string | undefined): boolean {
  if (found === undefined || value === undefined) return found !== undefined;
  return typeof found === 'object' && found !== null && !('isLosslessNumber' in found)
    ? JSON.stringify(found) === value
    : String(found) === value;
}

/** Types and statuses are compared without case, as kubectl does. Each writer has its own list, in its slot. */
function hasCondition(resource: Resource, type: string, status: string, slot: string | undefined): boolean {
  const slots = Object.entries(resource.status.controllers).filter(
    ([id]) => slot === undefined || id === slot,
  );
  return slots.some(([, content]) => {
    const conditions = (content as { conditions?: unknown } | null)?.conditions;
    if (!Array.isArray(conditions)) return false;
    return conditions.some(
      (one: { type?: unknown; status?: unknown; observedGeneration?: unknown } | null) => {
        const generation = one?.observedGeneration;
        const isCurrent = generation === undefined || Number(generation) >= resource.metadata.generation;
        return isCurrent && same(one?.type, type) && same(one?.status, status);
      },
    );
  });
}

function same(value: unknown, text: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === text.toLowerCase();
}
