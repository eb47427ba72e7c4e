import { escapePointer } from '@platform/kernel';
import {
  type JsonObject,
  type JsonText,
  type JsonValue,
  parseValue,
  renderValue,
  stringOf,
} from '@platform/resources';

/** The object that a value is, or undefined when it is something else. */
export function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return value instanceof Map ? value : undefined;
}

/** The items of a list; none for any other value. */
export function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list. */
export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return itemsOf(value).filter((item): item is JsonObject => item instanceof Map);
}

/** The strings of a list. */
export function stringsOf(value: JsonValue | undefined): readonly string[] {
  return itemsOf(value).flatMap((item) => stringOf(item) ?? []);
}

/** The value of a flag; false when it is absent. */
export function isTrue(value: JsonValue | undefined): boolean {
  return value === 'true';
}

/** Whether a member is there: Kubernetes takes null and the empty string for an absent one. */
export function isGiven(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== 'null' && value !== '""';
}

/** The JSON value of plain data of this program, such as a string or an object literal. */
export function jsonValueOf(data: unknown): JsonValue {
  return parseValue(JSON.stringify(data));
}

/** An object of the members that are not undefined, in this order. */
export function members(entries: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return new Map(
    Object.entries(entries).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}

/** The members of an object as text, without its braces. */
export function membersOf(object: JsonValue): JsonText {
  return renderValue(object).slice(1, -1);
}

/** A copy of an object without some members. */
export function without(object: JsonObject, ...names: readonly string[]): JsonObject {
  return new Map([...object].filter(([name]) => !names.includes(name)));
}

/** One more step of a JSON pointer (RFC 6901). */
export function step(pointer: string, name: string | number): string {
  return `${pointer}/${escapePointer(String(name))}`;
}
