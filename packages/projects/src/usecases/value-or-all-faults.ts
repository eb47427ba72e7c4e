import { isPlainObject } from '@platform/kernel';
import { withFaultsOf } from '@platform/resources';
import { type Sent, type SentMembers, valueOfSent } from '../model/sent.ts';

/** As {@link valueOfSent}. A body with faults has to pass the rule too, so that a client learns the faults of both at once. */
export async function valueOrAllFaults<T>(
  sent: Sent<T>,
  rule: (members: SentMembers) => unknown,
): Promise<T> {
  return await withFaultsOf(
    () => valueOfSent(sent),
    () => rule(isPlainObject(sent.body) ? sent.body : {}),
  );
}
