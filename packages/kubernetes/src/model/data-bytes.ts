import {
  type JsonObject,
  type JsonText,
  type JsonValue,
  parseValue,
  renderValue,
  stringOf,
} from '@platform/resources';
import type { KubernetesKind } from './kind.ts';
import { isSecret } from './secret-type.ts';

/** The member with values in base64, of kinds that have one. */
const bytesMembers: Readonly<Record<string, string>> = { Secret: 'data', ConfigMap: 'binaryData' };

/** The spec without line breaks in its values in base64. Kubernetes ignores them, and the program `base64` writes them. */
export function withoutLineBreaks(spec: JsonObject, { form, kind }: KubernetesKind): JsonObject {
  const member = form === 'data' ? bytesMembers[kind] : undefined;
  if (member === undefined || !(spec.get(member) instanceof Map)) return spec;
  return withTexts(spec, member, (text) => text.replaceAll(/[\r\n]/g, ''));
}

/** A sealed value, which contains characters that base64 does not have. */
const sealed = /^v1\..*\./;

/**
 * The spec of a Secret with the values that the reader sees sealed in base64, as all values are: a client with types, such as client-go, cannot
 * read a whole list when one value is no base64.
 */
export function withSealedBytes(spec: JsonText, kind: KubernetesKind): JsonText {
  if (!isSecret(kind) || !spec.includes('"v1.')) return spec;
  const members = parseValue(spec) as JsonObject;
  return renderValue(withTexts(members, 'data', (text) => (sealed.test(text) ? btoa(text) : text)));
}

function withTexts(spec: JsonObject, member: string, change: (text: string) => string): JsonObject {
  const values = spec.get(member);
  if (!(values instanceof Map)) return spec;
  const changed = [...values].map(([key, value]): [string, JsonValue] => {
    const text = stringOf(value);
    return [key, text === undefined ? value : JSON.stringify(change(text))];
  });
  return new Map(spec).set(member, new Map(changed));
}
