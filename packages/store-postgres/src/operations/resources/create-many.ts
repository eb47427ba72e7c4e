import { arrayLiteral, type Parameter, type Sql } from '@platform/postgres';
import {
  type CreateCommand,
  type CreateOutcome,
  createdResource,
  groupOf,
  type OwnerReference,
} from '@platform/resources';
import { createText, type LockMode } from './create-text.ts';
import { stepParameters, versionArrays } from './locate.ts';
import { ownerFaults } from './owner-faults.ts';

/**
 * What became of one create of a statement: its outcome, or
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
  parentUid: string | null,
  createdAt: string | null,
];

/**
 * Inserts rows of one depth in one statement, each under its own parent and by its own rules; refused ones are left out.
 * Whatever makes the statement fail, a document that is no JSON for example, fails it for all of them.
 */
export async function createMany(
  sql: Sql,
  commands: readonly CreateCommand[],
  mode: LockMode,
): Promise<readonly CreateAttempt[]> {
  const depth = commands[0]?.collection.ancestors.length ?? 0;
  const owned = commands.some((command) => command.ownerReferences.length > 0);
  const parameters = [...commandParameters(commands, depth), ...(owned ? ownerParameters(commands) : [])];
  const rows = await sql.rows<Row>(createText(depth, mode, owned), parameters);
  return commands.map((command, index) => attemptOf(command, rows[index]));
}

function attemptOf(command: CreateCommand, row: Row | undefined): CreateAttempt {
  if (row === undefined) throw new Error('the create statement lost a command');
  const [refusal, terminating, refusedOwners, parentUid, createdAt] = row;
  if (refusal === 'ancestorTerminating') return { outcome: refusal, name: terminating ?? '' };
  if (refusal !== null) return { outcome: refusal };
  if (refusedOwners !== '{}') return ownerFaults(command.ownerReferences, refusedOwners);
  if (createdAt === null) return { outcome: 'conflict', parentUid };
  return { outcome: 'created', resource: createdResource(command, parentUid, createdAt) };
}

/** Parameters 1 to 11 and those of the steps: an array each, with an element for each command. */
function commandParameters(commands: readonly CreateCommand[], depth: number): Parameter[] {
  const column = (value: (command: CreateCommand) => string | number | null) =>
    arrayLiteral(commands.map(value));
  const steps = commands.map((command) => stepParameters(command.collection.ancestors) as string[]);
  return [
    ...versionArrays(commands),
    column((command) => command.uid),
    column((command) => command.apiVersion),
    column((command) => command.collection.kind),
    column((command) => command.name),
    column((command) => command.discriminator),
    column((command) => command.metadata),
    column((command) => command.spec),
    column((command) => arrayLiteral(command.finalizers)),
    column((command) =>
      command.ownerReferences.length === 0 ? '[]' : JSON.stringify(command.ownerReferences),
    ),
    ...Array.from({ length: 3 * depth }, (_, index) => arrayLiteral(steps.map((each) => each[index] ?? ''))),
  ];
}

/** The last parameters: an array each, with an element for each owner of each command. */
function ownerParameters(commands: readonly CreateCommand[]): Parameter[] {
  const owners = commands.flatMap((command, place) =>
    command.ownerReferences.map((owner, index) => ({ place: place + 1, index, owner })),
  );
  const column = (value: (owner: OwnerReference) => string) =>
    arrayLiteral(owners.map((each) => value(each.owner)));
  return [
    arrayLiteral(owners.map((each) => each.place)),
    arrayLiteral(owners.map((each) => each.index)),
    column((owner) => owner.uid),
    column((owner) => groupOf(owner.apiVersion)),
    column((owner) => owner.kind),
    column((owner) => owner.name),
  ];
}
