import { isPlainObject } from '@platform/kernel';
import { withFaultsOf } from '@platform/resources';
import { type Sent, type SentMembers, valueOfSent } from '../model/sent.ts';

/** As {@link valueOfSent}. A body with faults has to pass the rules too, so that a client learns all faults at once. */
export async function valueOrAllFaults<T>(
  sent: Sent<T>,
  ...rules: readonly ((members: SentMembers) => unknown)[]
): Promise<T> {
  return await withFaultsOf(
    () => valueOfSent(sent),
    ...rules.map((rule) => () => rule(isPlainObject(sent.body) ? sent.body : {})),
  );
}
