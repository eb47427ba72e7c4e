import { type Sql, sqlState, stateOf, violatedConstraint } from '@platform/postgres';
import type { AddressTaken } from '@platform/projects';
import { and, eq, not } from 'drizzle-orm';
import { query } from '../../drizzle.ts';
import { projectAddresses } from '../../schema/projects.ts';

// The conditions are written as the partial indexes have them: a parameter in place of `not contested` would keep a generic plan off them.

/** Whether some project's URL has exactly that origin. */
export async function isProjectOrigin(sql: Sql, origin: string): Promise<boolean> {
  const { isUrl, contested } = projectAddresses;
  const found = await query(sql, (db) =>
    db
      .select({ uid: projectAddresses.projectUid })
      .from(projectAddresses)
      .where(and(eq(projectAddresses.origin, origin), isUrl, not(contested)))
      .limit(1),
  );
  return found.length > 0;
}

/** Whether the address is a project's. */
export async function hasAddress(sql: Sql, address: string): Promise<boolean> {
  const found = await query(sql, (db) =>
    db
      .select({ uid: projectAddresses.projectUid })
      .from(projectAddresses)
      .where(and(eq(projectAddresses.address, address), not(projectAddresses.contested)))
      .limit(1),
  );
  return found.length > 0;
}

/** The addresses of a project that was just written and that another one has; null when there are none. */
export async function takenAddresses(sql: Sql, projectUid: string): Promise<AddressTaken | null> {
  const taken = await query(sql, (db) =>
    db
      .select({ address: projectAddresses.address })
      .from(projectAddresses)
      .where(and(eq(projectAddresses.projectUid, projectUid), projectAddresses.contested)),
  );
  if (taken.length === 0) return null;
  return { outcome: 'addressTaken', addresses: taken.map(({ address }) => address).sort() };
}

/** Whether a write failed because another transaction took an address of the project at the same time. */
export function lostAddressRace(error: unknown): boolean {
  return stateOf(error) === sqlState.uniqueViolation && violatedConstraint(error) === 'project_addresses_key';
}
