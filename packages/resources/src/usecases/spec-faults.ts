import { withFaultsOf } from '../kinds/require-all.ts';
import type { Proposed } from '../kinds/strategy.ts';
import type { JsonDocument } from '../model/json-document.ts';
import { proposedIn, type WriteTarget } from '../rules/prepare-create.ts';

/** A write that is being prepared. */
interface PreparedWrite {
  readonly body: JsonDocument;
  readonly writeTarget: Pick<WriteTarget, 'completeSpec'>;
  /** The rules of the kind for its spec. */
  readonly validateSpec: (proposed: Proposed) => Promise<void>;
}

/** Prepares a write. When its envelope has faults, the refusal also has those of its spec: a client learns all of them at once. */
export async function withFaultsOfSpec<T>(
  { body, writeTarget, validateSpec }: PreparedWrite,
  prepare: () => T,
): Promise<T> {
  return await withFaultsOf(prepare, async () => {
    const proposed = proposedIn(body, writeTarget);
    if (proposed !== null) await validateSpec(proposed);
  });
}
