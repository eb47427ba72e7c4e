import { type TestDatabase, waitingForLocks } from '@platform/development/testing';
import postgres from 'postgres';

/** A session of its own, whose transactions the test begins and ends. */
export interface Session {
  /** Runs a statement, or begins or ends a transaction. */
  run(text: string): Promise<void>;
}

/** Runs work with two sessions, which are closed afterwards with whatever they have open. */
async function withSessions(
  { url }: TestDatabase,
  work: (one: Session, other: Session) => Promise<void>,
): Promise<void> {
  const connections = [1, 2].map(() => postgres(url, { max: 1, onnotice: () => {} }));
  const sessions = connections.map(
    (connection): Session => ({
      run: async (text) => void (await connection.unsafe(text)),
    }),
  );
  try {
    await work(sessions[0] as Session, sessions[1] as Session);
  } finally {
    await Promise.all(connections.map((connection) => connection.end({ timeout: 0 })));
  }
}

/** The statement of a write of some rows. */
export function touch(...names: readonly string[]): string {
  const list = names.map((name) => `'${name}'`).join(', ');
  return `update resources set revision = revision + 1 where name in (${list})`;
}

/** Writes that race, each in the order that breaks one of the simpler logs. They take the rows `a` and `b`; `look` lets readers read. */
export const races: Readonly<
  Record<string, (database: TestDatabase, look: () => Promise<void>) => Promise<void>>
> = {
  /** The first to draw a number is the last to commit. */
  'a transaction that commits late': (database, look) =>
    withSessions(database, async (slow, quick) => {
      await slow.run('begin');
      await slow.run(touch('a'));
      await quick.run(touch('b'));
      await look();
      await slow.run('commit');
      await look();
    }),

  /** The first to get a transaction number is the last to write the row. */
  'a transaction that writes another row first': (database, look) =>
    withSessions(database, async (first, second) => {
      await first.run('begin');
      await first.run(touch('a'));
      await second.run(touch('b'));
      await first.run(touch('b'));
      await first.run('commit');
      await look();
    }),

  /** The first statement to begin is the last to get the lock of the row. */
  'a statement that waits for a lock': (database, look) =>
    withSessions(database, async (holder, waiting) => {
      await holder.run('begin');
      await holder.run(`select from resources where name = 'a' for update`);
      const waited = waiting.run(touch('a', 'b'));
      await waitingForLocks(database, 1);
      await holder.run(touch('b'));
      await holder.run('commit');
      await waited;
      await look();
    }),
};
