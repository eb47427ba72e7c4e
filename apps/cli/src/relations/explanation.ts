import type { Collection, PlatformClient } from 'platform-service-client';
import { printable } from '../output/format.ts';
import type { Identity } from './deletion-plan.ts';

/** One reason why a deleted resource is still there. */
export interface Cause {
  readonly kind: string;
  readonly path: readonly Identity[];
  readonly since: string;
  readonly detail: string;
  readonly action?: {
    readonly method: string;
    readonly path: string;
    readonly body: unknown;
    readonly who: { readonly type: string; readonly id?: string };
  };
}

/** A parent, an owner or a dependent. */
interface Relative extends Identity {
  readonly relationship: string;
  readonly blockOwnerDeletion?: boolean;
  readonly deletionTimestamp: string | null;
}

/** An entry of the history. */
interface Change {
  readonly time: string;
  readonly operation: string;
  readonly revision: number;
  readonly actor: { readonly type: string; readonly id: string };
  readonly reason?: string;
}

/** The answer of `explain`: causes of a tombstone, the others of a live resource. */
export interface Explanation {
  readonly causes?: readonly Cause[];
  readonly owners?: readonly Relative[];
  readonly dependents?: readonly Relative[];
  readonly changes?: readonly Change[];
  readonly truncated?: true;
}

/** Reads the explanation of a resource, with its text as the server sent it. */
export async function readExplanation(
  client: PlatformClient,
  collection: Collection,
  uid: string,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly explanation: Explanation }> {
  const { text } = await client.send({ method: 'GET', path: collection.path({ uid }, 'explain'), signal });
  return { text, explanation: client.json.parse(text) as Explanation };
}

/** One entry of the history as a line. */
export function changeLine({ time, operation, revision, actor, reason }: Change): string {
  const why = reason === undefined ? '' : `: ${printable(reason)}`;
  return `revision ${revision}: ${operation} by ${actor.type} ${actor.id} at ${time}${why}`;
}
