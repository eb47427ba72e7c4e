import type { Connection } from './connection.ts';

/** First line of a migration that changes many rows in transactions of a few each, so that it holds no lock for long. */
const marker = '-- migrate: in slices\n';

/** Whether the text of a migration asks for {@link runSlices}. */
export function isSliced(text: string): boolean {
  return text.startsWith(marker);
}

/**
 * Runs the one statement of a migration until it returns no row. `$1` is the text that the run before returned, and null in the first
 * one: the key after which the next slice begins. `connection` is in no transaction, so each slice is committed at once; after a crash
 * the migration begins again, so the statement must leave out the rows that it has changed already.
 */
export async function runSlices({ text }: { readonly text: string }, connection: Connection): Promise<void> {
  const statement = text.slice(marker.length);
  for (let after: string | null = null; ; ) {
    const [row]: readonly (readonly [string])[] = await connection.rows<readonly [string]>(statement, [
      after,
    ]);
    if (row === undefined) return;
    after = row[0];
  }
}
