import type { SealContext, Sealer } from '@platform/kernel';
import { type GroupKind, isOfKind, platformGroup } from './definition.ts';
import { type JsonObject, parseValue, renderValue, stringOf } from './json-value.ts';
import type { JsonText, Resource } from './resource.ts';

/** The member of `spec` that a kind stores sealed: a string, or an object of strings. */
export interface SealedMember {
  readonly name: string;
  /** Who reads it in clear: callers that may `get` the resource, or nobody. */
  readonly readableBy: 'getters' | 'nobody';
}

type Row = Pick<Resource, 'apiVersion' | 'kind' | 'uid' | 'spec'>;

/** The kinds of the platform that have one. */
const sealedMembers: Readonly<Record<string, SealedMember>> = {
  Secret: { name: 'data', readableBy: 'getters' },
  Subscription: { name: 'secret', readableBy: 'nobody' },
};

/** The sealed member of a kind, or null. */
export function sealedMemberOf({ group, kind }: GroupKind): SealedMember | null {
  return group === platformGroup && Object.hasOwn(sealedMembers, kind) ? (sealedMembers[kind] ?? null) : null;
}

/** The sealed member of the kind of a row, or null. */
export function sealedMemberIn(row: Pick<Resource, 'apiVersion' | 'kind'>): SealedMember | null {
  const member = sealedMemberOf({ group: platformGroup, kind: row.kind });
  return member !== null && isOfKind(row, { group: platformGroup, kind: row.kind }) ? member : null;
}

/**
 * The context of one sealed value; `at` is its place in `spec`, such as `data/password`.
 *
 * Attack: somebody who can write to the database moves a sealed value into a resource, or to a key, that they may read.
 */
export function sealedValueContext(uid: string, at: string): SealContext {
  return { purpose: 'resource_spec', uid, at };
}

/** The context of an answer that is kept for a repeated request. */
export function keptAnswerContext(keyHash: string): SealContext {
  return { purpose: 'kept_answer', key: keyHash };
}

/** The spec of a stored row with its sealed values in clear. Throws when no configured key opens one. */
export function openSpec(sealer: Sealer, { uid, spec }: Row, { name }: SealedMember): JsonText {
  return mapValues(spec, name, (sealed, at) => {
    const value = sealer.unseal(sealed, sealedValueContext(uid, at));
    if (value === null) throw new Error(`no configured encryption key opens spec/${at} of resource ${uid}`);
    return value;
  });
}

/**
 * The spec for a write that replaces it: a value that no configured key opens stands as its sealed text, so that it counts as changed by
 * whatever is written in its place.
 */
export function openSpecForWrite(sealer: Sealer, { uid, spec }: Row, { name }: SealedMember): JsonText {
  return mapValues(spec, name, (sealed, at) => sealer.unseal(sealed, sealedValueContext(uid, at)) ?? sealed);
}

/** The places of values that no configured key opens, and that a write would keep: sealed again, their sealed text would be the value. */
export function keptLostValues(
  written: JsonText,
  before: { readonly open: JsonText; readonly stored: JsonText },
  { name }: SealedMember,
): readonly string[] {
  const open = valuesOf(before.open, name);
  const values = valuesOf(written, name);
  return [...valuesOf(before.stored, name)]
    .filter(([at, sealed]) => open.get(at) === sealed && values.get(at) === sealed)
    .map(([at]) => at);
}

/** The spec as it is stored. A value that `before` has as well keeps its sealed text, so that the log shows what really changed. */
export function sealSpec(
  sealer: Sealer,
  { uid, spec }: { readonly uid: string; readonly spec: JsonText },
  { name }: SealedMember,
  before: { readonly open: JsonText; readonly stored: JsonText } | null,
): JsonText {
  const known = before === null ? none : valuesOf(before.open, name);
  const kept = before === null ? none : valuesOf(before.stored, name);
  return mapValues(spec, name, (value, at) => {
    const sealed = known.get(at) === value ? kept.get(at) : undefined;
    return sealed ?? sealer.seal(value, sealedValueContext(uid, at));
  });
}

/** The spec without what nobody may read: what every answer, event and history shows. */
export function readableSpec(row: Pick<Resource, 'apiVersion' | 'kind' | 'spec'>): JsonText {
  const member = sealedMemberIn(row);
  return member?.readableBy === 'nobody' ? withoutMember(row.spec, member.name) : row.spec;
}

/** The spec without a member. */
export function withoutMember(spec: JsonText, name: string): JsonText {
  const members = parseValue(spec) as JsonObject;
  return members.delete(name) ? renderValue(members) : spec;
}

const none: ReadonlyMap<string, string> = new Map();

/** The values of the member by their place in `spec`. */
function valuesOf(spec: JsonText, name: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  mapValues(spec, name, (value, at) => {
    values.set(at, value);
    return value;
  });
  return values;
}

/** The spec with every value of the member replaced. */
function mapValues(spec: JsonText, name: string, change: (value: string, at: string) => string): JsonText {
  const members = parseValue(spec) as JsonObject;
  const member = members.get(name);
  if (member === undefined) return spec;
  const single = stringOf(member);
  if (single !== undefined) members.set(name, JSON.stringify(change(single, name)));
  else if (member instanceof Map) {
    for (const [key, text] of member) {
      const value = stringOf(text);
      if (value !== undefined) member.set(key, JSON.stringify(change(value, `${name}/${key}`)));
    }
  } else return spec;
  return renderValue(members);
}
