import { setTimeout as sleep } from 'node:timers/promises';
import type { WakeUp, WakeUps } from '@platform/garbage-collector';
import { backoff } from '@platform/kernel';
import {
  type Connection,
  Connector,
  connectionSettings,
  type DatabaseOptions,
  Deadlines,
  isPooled,
} from '@platform/postgres';
import { parseUid } from '@platform/resources';
import { wakeChannel } from '../../wake-channel.ts';

/** Interval of the heartbeat on a quiet connection, and the time to wait for its answer. */
const heartbeatMs = 15_000;
const answerMs = 5_000;
const pause = { firstMs: 100, longestMs: 5_000 };

/**
 * Listens on a connection of its own and reconnects when it is lost or does not answer. `LISTEN` needs a session, so behind a transaction
 * pooler it makes no connection and the collector relies on polling.
 */
export function createWakeUps(options: DatabaseOptions): WakeUps {
  return {
    async listen(listener) {
      if (isPooled(options)) return { close: async () => {} };
      const closing = new AbortController();
      const listening = keepListening(options, listener, closing.signal);
      return {
        async close() {
          closing.abort();
          await listening;
        },
      };
    },
  };
}

async function keepListening(
  options: DatabaseOptions,
  listener: (wakeUp: WakeUp) => void,
  closing: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!closing.aborted) {
    const error = await listenUntilLost(options, closing, listener, () => {
      failures = 0;
      listener({ reason: 'missed' });
    });
    if (closing.aborted) return;
    failures += 1;
    options.logger?.warn('collector: not listening for wake-ups; polling continues', { failures, error });
    await sleep(backoff(failures - 1, pause), undefined, { signal: closing }).catch(() => undefined);
  }
}

/** Listens on one connection until it is lost; returns the reason. */
async function listenUntilLost(
  options: DatabaseOptions,
  closing: AbortSignal,
  listener: (wakeUp: WakeUp) => void,
  begun: () => void,
): Promise<unknown> {
  const over = new AbortController();
  const end = () => over.abort();
  closing.addEventListener('abort', end);
  const connector = new Connector({
    ...connectionSettings({
      ...options,
      applicationName: `${options.applicationName ?? 'platform'} wake-ups`,
    }),
    onNotify: (payload) => listener(parseWakeUp(payload)),
    onLost: end,
  });
  const deadlines = new Deadlines(answerMs);
  let connection: Connection | undefined;
  try {
    connection = await connector.open();
    await deadlines.guard(connection.rows(`listen ${wakeChannel}`));
    begun();
    while (!over.signal.aborted) {
      await sleep(heartbeatMs, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
      if (!over.signal.aborted) await deadlines.guard(connection.rows('select 1'));
    }
    return 'the connection was lost';
  } catch (error) {
    return error;
  } finally {
    closing.removeEventListener('abort', end);
    deadlines.close();
    connection?.abandon();
  }
}

/** Parses the payload of a notification. An unknown payload counts as a missed wake-up. */
export function parseWakeUp(payload: string): WakeUp {
  const [word = '', value = ''] = payload.split(' ');
  if (word === 'look' && parseUid(value) !== null) return { reason: 'changed', uid: value };
  if (word === 'tombstoned' && /^\d+$/.test(value)) return { reason: 'tombstoned', at: Number(value) };
  if (word === 'lease') return { reason: 'lease' };
  return { reason: 'missed' };
}
