import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoff, monotonicClock, OutageLog, rootCauseOf } from '@platform/kernel';
import {
  type Connection,
  Connector,
  connectionSettings,
  type DatabaseOptions,
  Deadlines,
  isPooled,
} from '@platform/postgres';

/** Interval of the heartbeat on a quiet connection, and the time to wait for its answer. */
const heartbeatMs = 15_000;
const answerMs = 5_000;
const pause = { firstMs: 100, longestMs: 5_000 };

/** The notifications that a process listens to. */
export interface Channel {
  /** The channel that triggers notify. */
  readonly name: string;
  /** For the application name of the connection, and for log lines. */
  readonly purpose: string;
  /** The payload of a notification. */
  readonly notified: (payload: string) => void;
  /** Listening has begun, or begun again: notifications may have been missed before. */
  readonly begun: () => void;
}

/** A running listener. */
export interface Listening {
  close(): Promise<void>;
}

/**
 * Listens on a connection of its own and reconnects when it is lost or does not answer. `LISTEN` needs a session, so behind a transaction
 * pooler it makes no connection and its user relies on polling.
 */
export function listen(options: DatabaseOptions, channel: Channel): Listening {
  if (isPooled(options)) return { close: async () => {} };
  const closing = new AbortController();
  const listening = keepListening(options, channel, closing.signal);
  return {
    async close() {
      closing.abort();
      await listening;
    },
  };
}

async function keepListening(
  options: DatabaseOptions,
  channel: Channel,
  closing: AbortSignal,
): Promise<void> {
  const { purpose } = channel;
  const phrases = {
    began: `not listening for ${purpose}; polling continues`,
    ended: `listening for ${purpose} again`,
  };
  const outage = new OutageLog(options.logger, phrases, monotonicClock);
  let failures = 0;
  while (!closing.aborted) {
    const error = await listenUntilLost(options, closing, channel, () => {
      failures = 0;
      outage.end();
      channel.begun();
    });
    if (closing.aborted) return;
    failures += 1;
    outage.noteReason(rootCauseOf({ cause: error }) ?? 'unknown');
    await sleep(backoff(failures - 1, pause), undefined, { signal: closing }).catch(() => undefined);
  }
}

/** Listens on one connection until it is lost; returns the reason. */
async function listenUntilLost(
  options: DatabaseOptions,
  closing: AbortSignal,
  { name, purpose, notified }: Channel,
  begun: () => void,
): Promise<unknown> {
  const over = new AbortController();
  const end = () => over.abort();
  let followed: Connection | undefined;
  closing.addEventListener('abort', end);
  const connector = new Connector({
    ...connectionSettings({
      ...options,
      applicationName: `${options.applicationName ?? 'platform'} ${purpose}`,
    }),
    onNotify: notified,
    // Not for a standby that was asked before the primary.
    onLost: (connection) => {
      if (connection === followed) end();
    },
  });
  const deadlines = new Deadlines(answerMs);
  const ended = once(over.signal, 'abort');
  const opening = connector.open();
  try {
    await Promise.race([opening, ended]);
    if (!over.signal.aborted) await follow(await opening);
    return new Error('the connection was lost');
  } catch (error) {
    return error;
  } finally {
    closing.removeEventListener('abort', end);
    deadlines.close();
    // Also one that is made only now.
    opening.then(
      (connection) => connection.abandon(),
      () => undefined,
    );
  }

  // Stops waiting for an answer at the end: a silent server would delay the stop of the process.
  async function follow(connection: Connection): Promise<void> {
    followed = connection;
    // A listener is quiet: a timeout of the role or the database would end it again and again.
    const begin = `set idle_session_timeout = 0; listen ${name}`;
    await Promise.race([deadlines.guard(connection.script(begin)), ended]);
    if (!over.signal.aborted) begun();
    while (!over.signal.aborted) {
      await sleep(heartbeatMs, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
      if (!over.signal.aborted) await Promise.race([deadlines.guard(connection.rows('select 1')), ended]);
    }
  }
}

/**
 * The channel that is notified, on commit, whenever the collector may have something to do. The triggers of `resources` notify it
 * (drizzle/, "wake_collector"), so no statement has to.
 */
export const wakeChannel = 'platform_collector';
