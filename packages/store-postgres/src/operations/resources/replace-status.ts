import { coalesceWrites, type Sql, type Statements } from '@platform/postgres';
import type { StatusCommand, SubresourceOutcome } from '@platform/resources';
import { locate } from './locate.ts';
import { type LocatedWrite, locatedWrite } from './located-write.ts';
import { statusFits, statusWith, statusWithout } from './status-text.ts';

/** Writes or clears one slot of each row. Clearing a slot that is not there changes nothing. */
const statusWrite: LocatedWrite<StatusCommand> = {
  input: [
    { name: 'slot', value: ({ slot }) => slot },
    { name: 'value', value: ({ value }) => value },
  ],
  refusal: 'statusTooLarge',
  computed: `
    target.value is not null or (locked.status -> 'controllers' -> target.slot) is not null as wanted,
    target.value is not null and not ${statusFits('locked.status', 'target.slot', 'target.value')} as refused,
    target.slot, target.value`,
  assignments: `status = case when computed.value is null then ${statusWithout('r.status', 'computed.slot')}
    else ${statusWith('r.status', 'computed.slot', 'computed.value')} end`,
};
const replaceStatuses = locatedWrite(statusWrite);

/** The same, with the metadata of the row. */
const replaceStatusesAndMetadata = locatedWrite<StatusCommand>({
  ...statusWrite,
  input: [...statusWrite.input, { name: 'metadata', value: ({ metadata }) => metadata ?? null }],
  computed: `${statusWrite.computed}, target.metadata`,
  assignments: `${statusWrite.assignments}, metadata = computed.metadata::json`,
});

/** Writes or clears one slot of the latest row, and waits for its lock. */
export async function replaceStatus(sql: Sql, command: StatusCommand): Promise<SubresourceOutcome> {
  const write = command.metadata === undefined ? replaceStatuses : replaceStatusesAndMetadata;
  const [outcome] = await write(sql, [command], 'wait');
  return outcome ?? { outcome: 'missing' };
}

/** Status writes; concurrent ones share a statement. */
export function replaceStatusBatched(
  statements: Statements,
): (command: StatusCommand) => Promise<SubresourceOutcome> {
  return coalesceWrites(statements, {
    keyOf: (command: StatusCommand) => locate(command.ref).shape,
    bytesOf: (command) => command.value?.length ?? 0,
    run: (sql, commands) => replaceStatuses(sql, commands, 'skip'),
    runAlone: replaceStatus,
  });
}
