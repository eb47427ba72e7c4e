/** One step of a column's path; the definition of the kind was checked to have no others. */
const step =
  /\.((?:[A-Za-z_$](?:[\w$/-]|\\\.)*))|\.(\*)|\[(\d+)\]|\[(\*)\]|\[(?:'([^'\]]+)'|"([^"\]]+)")\]|\[\?\(@((?:\.[A-Za-z_][\w-]*)+) ?== ?(?:'([^']*)'|"([^"]*)")\)\]/gy;

type Values = readonly unknown[];

/** The values at a path in Kubernetes' dialect of JSONPath, such as `.status.conditions[?(@.type=="Ready")].status`. */
export function valuesAt(object: unknown, path: string): Values {
  let values: Values = [object];
  step.lastIndex = 0;
  while (step.lastIndex < path.length) {
    const match = step.exec(path);
    if (match === null) return [];
    values = values.flatMap((value) => next(value, match));
  }
  return values;
}

function next(value: unknown, match: RegExpExecArray): Values {
  const [, name, anyMember, index, anyItem, single, double, filter, wanted, wantedToo] = match;
  if (anyMember !== undefined || anyItem !== undefined) return membersOf(value);
  if (index !== undefined)
    return Array.isArray(value) && Number(index) < value.length ? [value[Number(index)]] : [];
  if (filter !== undefined) {
    return membersOf(value).filter((item) =>
      valuesAt(item, filter).some((found) => found === (wanted ?? wantedToo)),
    );
  }
  const key = single ?? double ?? (name ?? '').replaceAll('\\.', '.');
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key))
    return [];
  return [(value as Readonly<Record<string, unknown>>)[key]];
}

function membersOf(value: unknown): Values {
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}
