import { type JsonValue, stringOf } from '@platform/resources';

/** One step of a column's path; the definition of the kind was checked to have no others. */
const form =
  /\.((?:[A-Za-z_$](?:[\w$/-]|\\\.)*))|\.(\*)|\[(\d+)\]|\[(\*)\]|\[(?:'([^'\]]+)'|"([^"\]]+)")\]|\[\?\(@((?:\.[A-Za-z_][\w-]*)+) ?== ?(?:'([^']*)'|"([^"]*)")\)\]/gy;

/** From a value to those that a step leads to. */
type Step = (value: JsonValue) => Iterable<JsonValue>;

/** A path in Kubernetes' dialect of JSONPath, such as `.status.conditions[?(@.type=="Ready")].status`, for {@link valuesAt}. */
export type ColumnPath = readonly Step[];

/** Reads a path once for many values; null when it is none, which leads nowhere. */
export function columnPath(path: string): ColumnPath | null {
  const steps = [...path.matchAll(form)];
  return steps.map(([text]) => text).join('') === path ? steps.map(stepOf) : null;
}

/** The values at a path, one after the other. Attack: a path into a list of a hundred thousand items, of which a cell shows the first. */
export function* valuesAt(value: JsonValue, path: ColumnPath | null, at = 0): Generator<JsonValue> {
  const step = path?.[at];
  if (step !== undefined) for (const next of step(value)) yield* valuesAt(next, path, at + 1);
  else if (path !== null) yield value;
}

/** The first value at a path. */
export function firstAt(value: JsonValue, path: ColumnPath | null): JsonValue | undefined {
  for (const found of valuesAt(value, path)) return found;
  return undefined;
}

function stepOf(match: RegExpExecArray): Step {
  const [, name, anyMember, index, anyItem, single, double, filter, wanted, wantedToo] = match;
  if (anyMember !== undefined || anyItem !== undefined) return membersOf;
  if (index !== undefined)
    return (value) => (Array.isArray(value) ? value.slice(Number(index), Number(index) + 1) : []);
  if (filter !== undefined) {
    const names = filter.split('.').slice(1);
    const holds = (item: JsonValue) => {
      let found: JsonValue | undefined = item;
      for (const name of names) found = found instanceof Map ? found.get(name) : undefined;
      return found !== undefined && stringOf(found) === (wanted ?? wantedToo);
    };
    return (value) => membersOf(value).filter(holds);
  }
  const key = single ?? double ?? (name ?? '').replaceAll('\\.', '.');
  return (value) => {
    const member = value instanceof Map ? value.get(key) : undefined;
    return member === undefined ? [] : [member];
  };
}

function membersOf(value: JsonValue): readonly JsonValue[] {
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
