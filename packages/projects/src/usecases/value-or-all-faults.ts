import { isPlainObject } from '@platform/kernel';
import { withFaultsOf } from '@platform/resources';
import { type Sent, type SentMembers, valueOfSent } from '../model/sent.ts';

/** As {@link valueOfSent}. A body with faults has to pass the rules too, so that a client learns all faults at once. */
export async function valueOrAllFaults<T>(
  sent: Sent<T>,
  ...rules: readonly ((members: SentMembers) => unknown)[]
): Promise<T> {
  return await resultOrAllFaults(sent, (value) => value, ...rules);
}

/** As {@link valueOrAllFaults}, for what is done with the value, which may refuse it with faults, too. */
export async function resultOrAllFaults<T, R>(
  sent: Sent<T>,
  work: (value: T) => Promise<R> | R,
  ...rules: readonly ((members: SentMembers) => unknown)[]
): Promise<R> {
  return await withFaultsOf(
    () => work(valueOfSent(sent)),
    ...rules.map((rule) => () => rule(isPlainObject(sent.body) ? sent.body : {})),
  );
}
