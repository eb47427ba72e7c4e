import { useSyncExternalStore } from 'react';
import { onClock, platformNow } from '../api/clock.ts';
import { ageOf, exactTime } from '../logic/age.ts';

/** Ages tick together, once a minute. */
let now = platformNow();
const listeners = new Set<() => void>();
const tick = () => {
  now = platformNow();
  for (const listener of listeners) listener();
};
setInterval(tick, 60_000);
onClock(tick);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The time of the platform at the last tick. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** How long ago something was, with the exact time as its title. */
export function Age({ time }: { readonly time: string }) {
  const current = useNow();
  // Something that is newer than the last tick is as new as now.
  const age = ageOf(time, Math.max(current, Date.parse(time)));
  return (
    <time dateTime={time} title={exactTime(time)}>
      {age}
    </time>
  );
}

/** How long something has lasted: `for 5 min`. */
export function Lasting({ since }: { readonly since: string }) {
  const current = useNow();
  const age = ageOf(since, current);
  return (
    <time dateTime={since} title={exactTime(since)}>
      {Date.parse(since) > current - 60_000 ? 'just now' : `for ${age}`}
    </time>
  );
}

export function ExactTime({ time }: { readonly time: string }) {
  return <time dateTime={time}>{exactTime(time)}</time>;
}
