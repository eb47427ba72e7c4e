import { arrayLiteral, type Parameter } from '@platform/postgres';
import {
  ancestorPath,
  anyName,
  type FieldRequirement,
  type LabelRequirement,
  matchesLabels,
  maxPathLength,
  type PathStep,
  type Resource,
  type Selection,
} from '@platform/resources';

/** Where the statement of a selection starts: entries of labels, owned rows, one row, or the collection in its order. */
export type Driver = 'labels' | 'owner' | 'uid' | 'collection';

/** The conditions of a selection, in the form of the statement. */
export interface SelectionInput {
  readonly driver: Driver;
  /** The value that the driver starts from: sets of labels of which one is enough, or a uid. */
  readonly start: Parameter;
  /** The ancestors before the first that matches every name. */
  readonly prefix: readonly PathStep[];
  /** Bounds of paths and names, inclusive. */
  readonly low: { readonly path: string; readonly name: string };
  readonly high: { readonly path: string; readonly name: string };
  /** Conditions on each row; null where there are none. */
  readonly labels: string | null;
  readonly fields: readonly FieldRequirement[];
  readonly names: readonly string[] | null;
  readonly scopes: readonly string[] | null;
}

/** Sorts behind every character of a name. */
const last = '~';
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function selectionInput({ collection, labels, fields, scopes }: Selection): SelectionInput {
  const names = collection.ancestors.map(({ name }) => name);
  const firstAny = names.indexOf(anyName);
  const prefix = firstAny === -1 ? collection.ancestors : collection.ancestors.slice(0, firstAny);
  const path = ancestorPath(prefix.map(({ name }) => name));
  const whole = firstAny === -1;
  const behind = path === '' || path.length >= maxPathLength ? path : `${path},`;
  const name = whole
    ? fields.find(({ field, equal }) => field === 'metadata.name' && equal)?.value
    : undefined;
  const isExact =
    path.length < maxPathLength && (whole || names.slice(firstAny).every((one) => one === anyName));
  const candidates = labels.flatMap((requirement) => candidatesOf(requirement));
  const { driver, start } = driverOf(candidates, fields);
  return {
    driver,
    start,
    prefix,
    scopes,
    fields,
    low: { path: whole ? path : behind, name: name ?? '' },
    high: { path: whole ? path : behind + last, name: whole ? (name ?? last) : last },
    labels: isFulfilled(driver, labels) ? null : labelCondition(labels),
    names: isExact ? null : names,
  };
}

/** Whether the entries of the driver fulfil every requirement, so that the labels of their rows need no look. */
function isFulfilled(driver: Driver, labels: readonly LabelRequirement[]): boolean {
  const [only] = labels;
  if (only === undefined) return true;
  return driver === 'labels' && labels.length === 1 && (only.operator === 'in' || only.operator === 'exists');
}

function driverOf(
  candidates: readonly (readonly string[])[],
  fields: readonly FieldRequirement[],
): Pick<SelectionInput, 'driver' | 'start'> {
  const uidOf = (wanted: string) =>
    fields.find(({ field, equal, value }) => field === wanted && equal && uuid.test(value))?.value;
  const uid = uidOf('metadata.uid');
  if (uid !== undefined) return { driver: 'uid', start: uid };
  const owner = uidOf('metadata.ownerReferences.uid');
  if (owner !== undefined) return { driver: 'owner', start: owner };
  if (candidates.length > 0) return { driver: 'labels', start: JSON.stringify(candidates) };
  return { driver: 'collection', start: null };
}

/** The labels of which a matching row has one, or nothing for a requirement that rows without the key fulfil too. */
function candidatesOf({ key, operator, values }: LabelRequirement): readonly (readonly string[])[] {
  if (operator === 'in') return [values.map((value) => `${key}=${value}`)];
  return operator === 'notIn' || operator === 'doesNotExist' ? [] : [[key]];
}

/** SQL/JSON path of a selector; null for one that matches everything. {@link withLabels} decides what it finds. */
export function labelCondition(labels: readonly LabelRequirement[]): string | null {
  return labels.length === 0 ? null : labels.map(condition).join(' && ');
}

/** SQL/JSON path of one requirement. Keys and values have no characters that need more than JSON's quotes. */
function condition({ key, operator, values }: LabelRequirement): string {
  const member = `$.${JSON.stringify(key)}`;
  const isOne = `(${values.map((value) => `${member} == ${JSON.stringify(value)}`).join(' || ')})`;
  switch (operator) {
    case 'in':
      return isOne;
    case 'notIn':
      return `!${isOne}`;
    case 'exists':
      return `exists(${member})`;
    case 'doesNotExist':
      return `!exists(${member})`;
    default:
      return `(${member} like_regex "^[0-9]+$" && ${member}.double() ${operator === 'gt' ? '>' : '<'} ${roundedBound(operator, values[0])})`;
  }
}

/** Digits of an integer that `.double()` keeps. */
const exactDigits = 15;

/** The bound, moved by what `.double()` may lose of longer labels, so that the path finds too many rather than too few. */
function roundedBound(operator: 'gt' | 'lt', value = ''): bigint {
  const bound = BigInt(value);
  if (value.length <= exactDigits) return bound;
  const lost = bound / 10n ** BigInt(exactDigits - 1);
  return operator === 'gt' ? bound - lost : bound + lost;
}

/** The rows whose labels fulfil the selector, of those that its path finds. */
export function withLabels(
  selector: readonly LabelRequirement[],
  rows: readonly Resource[],
): readonly Resource[] {
  const isExact = selector.every(
    ({ operator, values }) =>
      (operator !== 'gt' && operator !== 'lt') || (values[0] ?? '').length <= exactDigits,
  );
  return isExact ? rows : rows.filter(({ labels }) => matchesLabels(selector, labels));
}

/** Whether rows may be read that are not in the answer: then a page reads a bounded number of them. */
export function isFiltered({ driver, labels, fields, names, scopes }: SelectionInput): boolean {
  if (driver === 'uid' || driver === 'owner') return false;
  return labels !== null || fields.length > 0 || names !== null || scopes !== null;
}

/** An array, or null. */
export function arrayOrNull(values: readonly string[] | null): Parameter {
  return values === null ? null : arrayLiteral(values);
}
