import type { Fence } from '@platform/garbage-collector';
import type { Statements } from '@platform/postgres';
import type { StatusCommand } from '@platform/resources';
import { heldLease } from '../garbage-collector/lease.ts';
import { lockRow } from '../resources/lock-row.ts';
import { replaceStatus } from '../resources/replace-status.ts';

/** Writes a status slot while the fence of the collector holds; false, and nothing is written, when it does not. */
export function replaceStatusWhileLeading(
  database: Statements,
  command: StatusCommand,
  { holder, token }: Fence,
): Promise<boolean> {
  return database.withLockRetry((inner) =>
    inner.transaction(async (sql) => {
      // The row first, because its lock may be waited for: nobody can renew the lease while that is locked.
      await lockRow(sql, command.ref, command.definition);
      if ((await sql.rows(leadsText, [holder, token])).length === 0) return false;
      await replaceStatus(sql, command);
      return true;
    }),
  );
}

const leadsText = heldLease('$1::text', '$2::bigint');
