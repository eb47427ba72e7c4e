import { maxStatusBytes } from '@platform/resources';

/**
 * SQL for the text of a status with one slot written or removed. Values of other slots keep every byte: json_each hands them out
 * as they were stored, while json_object_agg and jsonb would write them again. A slot keeps its place; a new one comes last.
 */
export function statusWith(status: string, slot: string, value: string): string {
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
export function statusFits(status: string, slot: string, value: string): string {
  const stored = `coalesce(octet_length(${status}::text), 0)`;
  return `case when ${stored} + octet_length(${value}) + 6 * octet_length(${slot}) + 64 <= ${maxStatusBytes} then true
    else octet_length(${statusWith(status, slot, value)}::text) <= greatest(${maxStatusBytes}, ${stored} - 1) end`;
}

/** SQL for the text of a status without a slot. */
export function statusWithout(status: string, slot: string): string {
  return `(
    '{"controllers":{' || coalesce(
      (select string_agg(to_json(key)::text || ':' || value::text, ',' order by place)
       from json_each(${status} -> 'controllers') with ordinality as each(key, value, place) where key <> ${slot}), '')
    || '}}')::json`;
}
