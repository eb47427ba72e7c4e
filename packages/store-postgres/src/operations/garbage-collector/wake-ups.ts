import type { WakeUp, WakeUps } from '@platform/garbage-collector';
import type { DatabaseOptions } from '@platform/postgres';
import { parseUid } from '@platform/resources';
import { listen, wakeChannel } from '../../listener.ts';

/** Wake-ups by `LISTEN`. */
export function createWakeUps(options: DatabaseOptions): WakeUps {
  return {
    listen: async (listener) =>
      listen(options, {
        name: wakeChannel,
        purpose: 'wake-ups',
        notified: (payload) => listener(parseWakeUp(payload)),
        begun: () => listener({ reason: 'missed' }),
      }),
  };
}

/** Parses the payload of a notification. An unknown payload counts as a missed wake-up. */
function parseWakeUp(payload: string): WakeUp {
  const [word = '', value = ''] = payload.split(' ');
  if (word === 'look' && parseUid(value) !== null) return { reason: 'changed', uid: value };
  if (word === 'tombstoned' && /^\d+$/.test(value)) return { reason: 'tombstoned', at: Number(value) };
  if (word === 'lease') return { reason: 'lease' };
  return { reason: 'missed' };
}
