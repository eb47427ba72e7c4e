import { type JsonValue, stringOf } from '@platform/resources';

/** One step of a column's path; the definition of the kind was checked to have no others. */
const step =
  /\.((?:[A-Za-z_$](?:[\w$/-]|\\\.)*))|\.(\*)|\[(\d+)\]|\[(\*)\]|\[(?:'([^'\]]+)'|"([^"\]]+)")\]|\[\?\(@((?:\.[A-Za-z_][\w-]*)+) ?== ?(?:'([^']*)'|"([^"]*)")\)\]/gy;

type Values = readonly JsonValue[];

/** The values at a path in Kubernetes' dialect of JSONPath, such as `.status.conditions[?(@.type=="Ready")].status`. */
export function valuesAt(object: JsonValue, path: string): Values {
  // A filter has a path of its own, so the steps are found before any is taken.
  const steps = [...path.matchAll(step)];
  if (steps.map(([text]) => text).join('') !== path) return [];
  return steps.reduce<Values>((values, match) => values.flatMap((value) => next(value, match)), [object]);
}

function next(value: JsonValue, match: RegExpExecArray): Values {
  const [, name, anyMember, index, anyItem, single, double, filter, wanted, wantedToo] = match;
  if (anyMember !== undefined || anyItem !== undefined) return membersOf(value);
  if (index !== undefined) return Array.isArray(value) ? value.slice(Number(index), Number(index) + 1) : [];
  if (filter !== undefined) {
    return membersOf(value).filter((item) =>
      valuesAt(item, filter).some((found) => stringOf(found) === (wanted ?? wantedToo)),
    );
  }
  const key = single ?? double ?? (name ?? '').replaceAll('\\.', '.');
  const member = value instanceof Map ? value.get(key) : undefined;
  return member === undefined ? [] : [member];
}

function membersOf(value: JsonValue): Values {
  if (Array.isArray(value)) return value;
  return value instanceof Map ? [...value.values()] : [];
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** An age as kubectl shows it: two units while they matter, then one. */
function humanDuration(seconds: number): string {
  const whole = Math.floor(seconds);
  if (whole < -1) return '<invalid>';
  if (whole < 2 * minute) return `${Math.max(0, whole)}s`;
  if (whole < 10 * minute) return two(whole, minute, 'm', 1, 's');
  if (whole < 3 * hour) return `${Math.floor(whole / minute)}m`;
  if (whole < 8 * hour) return two(whole, hour, 'h', minute, 'm');
  if (whole < 2 * day) return `${Math.floor(whole / hour)}h`;
  if (whole < 8 * day) return two(whole, day, 'd', hour, 'h');
  if (whole < 2 * year) return `${Math.floor(whole / day)}d`;
  if (whole < 8 * year) return two(whole, year, 'y', day, 'd');
  return `${Math.floor(whole / year)}y`;
}

function two(seconds: number, big: number, bigUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((seconds % big) / small);
  return `${Math.floor(seconds / big)}${bigUnit}${rest === 0 ? '' : `${rest}${smallUnit}`}`;
}

/** The age of something that began at an instant; `<unknown>` for any other text. */
export function ageOf(timestamp: string | undefined, now: number): string {
  const began = Date.parse(timestamp ?? '');
  return Number.isNaN(began) ? '<unknown>' : humanDuration((now - began) / 1_000);
}
