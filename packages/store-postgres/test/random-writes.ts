import { setTimeout as delay } from 'node:timers/promises';
import type { TestDatabase } from '@platform/development/testing';
import postgres from 'postgres';
import { touch } from './racing-writes.ts';

const writers = 4;
const transactionsOfEach = 20;
/** Few, so that the writers wait for each other. */
const names = ['a', 'b', 'c'] as const;

const below = (bound: number) => Math.floor(Math.random() * bound);

/**
 * A round of transactions at the same time: each writes some of the rows `a`, `b` and `c`, in any order, pauses, and mostly commits. `look`
 * runs all the while, and once more when everything has ended.
 */
export async function randomWrites(database: TestDatabase, look: () => Promise<void>): Promise<void> {
  let isWriting = true;
  const write = async () => {
    const sql = postgres(database.url, { max: 1, onnotice: () => {} });
    try {
      // Writers that wait for each other in a circle give up sooner than the server finds that out.
      await sql`set lock_timeout = '250ms'`;
      for (let count = 0; count < transactionsOfEach; count += 1) await writeSome(sql);
    } finally {
      await sql.end({ timeout: 1 });
    }
  };
  const looking = (async () => {
    while (isWriting) {
      await look();
      await delay(2);
    }
  })();
  try {
    await Promise.all(Array.from({ length: writers }, write));
  } finally {
    isWriting = false;
    await looking;
  }
  await look();
}

/** One transaction. It may fail: then it has written nothing. */
async function writeSome(sql: postgres.Sql): Promise<void> {
  await sql
    .begin(async (transaction) => {
      for (let statements = 1 + below(3); statements > 0; statements -= 1) {
        const [one = 'a', other = 'b'] = [names[below(names.length)], names[below(names.length)]];
        await transaction.unsafe(touch(one, other));
        await delay(below(6));
      }
      if (below(5) === 0) throw new Error('rolled back');
    })
    .catch(() => undefined);
}
