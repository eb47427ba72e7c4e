import { coalesceWrites, type Sql, type Statements } from '@platform/postgres';
import { maxStatusBytes, type StatusCommand, type SubresourceOutcome } from '@platform/resources';
import { locate } from './locate.ts';
import { type LocatedWrite, locatedWrite } from './located-write.ts';

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

/** Replaces status slots together with the metadata of their rows, for managed fields. */
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

/**
 * SQL for the text of a status with one slot written or removed. Values of other slots keep every byte: json_each hands them out
 * as they were stored, while json_object_agg and jsonb would write them again. A slot keeps its place; a new one comes last.
 */
function statusWith(status: string, slot: string, value: string): string {
  return `(
    '{"controllers":{' || concat_ws(',',
      (select string_agg(to_json(key)::text || ':' || case when key = ${slot} then ${value} else value::text end, ',' order by place)
       from json_each(${status} -> 'controllers') with ordinality as each(key, value, place)),
      case when (${status} -> 'controllers' -> ${slot}) is null then to_json(${slot})::text || ':' || ${value} end
    ) || '}}')::json`;
}

/**
 * SQL for whether a status may be stored with the slot written. A status clearly below the limit is not put together a second time.
 * Six bytes are the most that JSON needs for one of a slot's name.
 */
function statusFits(status: string, slot: string, value: string): string {
  const stored = `coalesce(octet_length(${status}::text), 0)`;
  return `case when ${stored} + octet_length(${value}) + 6 * octet_length(${slot}) + 64 <= ${maxStatusBytes} then true
    else octet_length(${statusWith(status, slot, value)}::text) <= greatest(${maxStatusBytes}, ${stored} - 1) end`;
}

/** SQL for the text of a status without a slot. */
function statusWithout(status: string, slot: string): string {
  return `(
    '{"controllers":{' || coalesce(
      (select string_agg(to_json(key)::text || ':' || value::text, ',' order by place)
       from json_each(${status} -> 'controllers') with ordinality as each(key, value, place) where key <> ${slot}), '')
    || '}}')::json`;
}
