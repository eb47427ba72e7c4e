import type { Connection } from './connection.ts';
import { sqlState, stateOf } from './sqlstate.ts';

/** First line of a migration whose indexes are created outside a transaction, so that they block no writer of a large table. */
const marker = '-- migrate: create indexes concurrently\n';

const statement = /^create\s+(?:unique\s+)?index\s+concurrently\s+(\w+)\s+on\s/;

/**
 * `create index concurrently` waits for older transactions on all tables, and blocks nothing meanwhile. The limit ends the one wait that
 * would never end: a replica of an older release holds a snapshot while it waits for our advisory lock.
 */
export const concurrentLockTimeoutMs = 300_000;

/** Whether the text of a migration asks for {@link createConcurrently}. */
export function isConcurrent(text: string): boolean {
  return text.startsWith(marker);
}

/** Where the indexes are created. */
export interface Places {
  /** In no transaction. */
  readonly outside: Connection;
  /** In a transaction without a statement timeout. */
  readonly inside: Connection;
  /** Whether `outside` has the timeouts of the role, because it leads to a pooler. */
  readonly pooled: boolean;
}

/**
 * Creates the indexes of a migration that {@link isConcurrent}. It may be repeated: a complete index is kept, and an invalid one that a crash
 * left is dropped first.
 *
 * Behind a pooler the statement timeout of the role cannot be changed outside a transaction. An index that takes longer is created inside
 * one, where it blocks writers.
 * @throws when the migration contains any other statement.
 */
export async function createConcurrently(
  { name, text }: { readonly name: string; readonly text: string },
  { outside, inside, pooled }: Places,
): Promise<void> {
  for (const create of statementsIn(text)) {
    const [, index] = statement.exec(create) ?? [];
    if (index === undefined)
      throw new Error(`drizzle/${name} may hold nothing but "create [unique] index concurrently"`);
    if (await isUsable(outside, index)) continue;
    try {
      await outside.script(create);
    } catch (error) {
      if (!pooled || stateOf(error) !== sqlState.queryCanceled) throw error;
      await isUsable(outside, index);
      await inside.script(create.replace(' concurrently', ''));
    }
  }
}

function statementsIn(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => !line.startsWith('--'));
  return lines
    .join('\n')
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** Whether the index exists. An invalid index is dropped. */
async function isUsable(outside: Connection, index: string): Promise<boolean> {
  const [row] = await outside.rows<readonly [boolean]>(
    'select indisvalid from pg_index where indexrelid = to_regclass($1::text)',
    [index],
  );
  if (row?.[0] === false) await outside.script(`drop index concurrently ${index}`);
  return row?.[0] === true;
}
