import { type LockWaitPolicy, parseArrayLiteral, type Sql } from '@platform/postgres';
import { type CreateCommand, type CreateOutcome, createdResource } from '@platform/resources';
import { type CommandOwner, createStatement } from './create-text.ts';
import { ownerFaults } from './owner-faults.ts';

/**
 * The result of one create of a statement: its outcome, or
 * `conflict`: a row with its name or its discriminator is in the way, which one the statement cannot always see;
 * `busy`: something it depends on is being deleted or changed at this moment;
 * `stale`: definitions changed since the request was resolved.
 */
export type CreateAttempt =
  | CreateOutcome
  | { readonly outcome: 'conflict'; readonly parentUid: string | null }
  | { readonly outcome: 'busy' | 'stale' };

type Row = readonly [
  refusal: 'stale' | 'ancestorMissing' | 'ancestorTerminating' | 'definitionTerminating' | 'busy' | null,
  terminating: string | null,
  refusedOwners: string,
  ancestorUids: string,
  createdAt: string | null,
];

/**
 * Inserts rows of one depth, all with a guard or none, in one statement, each below its own parent. Refused rows are left out. When the
 * statement fails, for example because a document is not JSON, it fails for all rows.
 */
export async function createMany(
  sql: Sql,
  commands: readonly CreateCommand[],
  policy: LockWaitPolicy,
): Promise<readonly CreateAttempt[]> {
  const depth = commands[0]?.collection.ancestors.length ?? 0;
  const owned = commands.some((command) => command.ownerReferences.length > 0);
  const guarded = commands[0]?.collection.access !== undefined;
  const { text, input, owners } = createStatement(depth, policy, { owned, guarded });
  const rows = await sql.rows<Row>(text, [
    ...input.parameters(commands),
    ...(owned ? owners.parameters(commands.flatMap(ownersOf)) : []),
  ]);
  return commands.map((command, index) => attemptOf(command, rows[index]));
}

function attemptOf(command: CreateCommand, row: Row | undefined): CreateAttempt {
  if (row === undefined) throw new Error('the create statement lost a command');
  const [refusal, terminating, refusedOwners, ancestors, createdAt] = row;
  if (refusal === 'ancestorTerminating') return { outcome: refusal, name: terminating ?? '' };
  if (refusal !== null) return { outcome: refusal };
  if (refusedOwners !== '{}') return ownerFaults(command.ownerReferences, refusedOwners);
  const ancestorUids = ancestors === '{}' ? [] : parseArrayLiteral(ancestors);
  if (createdAt === null) return { outcome: 'conflict', parentUid: ancestorUids.at(-1) ?? null };
  return { outcome: 'created', resource: createdResource(command, ancestorUids, createdAt) };
}

function ownersOf({ ownerReferences }: CreateCommand, index: number): readonly CommandOwner[] {
  return ownerReferences.map((owner, ownerIndex) => ({ item: index + 1, index: ownerIndex, owner }));
}
