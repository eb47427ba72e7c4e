import { type Fault, isPlainObject } from '@platform/kernel';
import { z } from 'zod';

/** The most bytes of all values of one Secret or ConfigMap, as in Kubernetes. */
const maxDataBytes = 1024 * 1024;

const maxKeyLength = 253;
const keyPattern = /^[-._a-zA-Z0-9]+$/;
const base64Pattern = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Why a text is no key of a Secret or ConfigMap, or null. */
function keyFault(key: string): string | null {
  if (key.length > maxKeyLength) return `a key has at most ${maxKeyLength} characters`;
  if (key === '.' || key.startsWith('..')) return 'a key is neither "." nor begins with ".."';
  return keyPattern.test(key) ? null : 'a key consists of letters, digits, "-", "_" and "."';
}

/** Whether a text may be a key of a Secret or ConfigMap. */
export function isDataKey(key: string): boolean {
  return keyFault(key) === null;
}

/** A member with values by key. Values are not copied: the text of the request is stored. */
function valuesOf(isValue: (text: string) => boolean, message: string) {
  return z
    .custom<Readonly<Record<string, unknown>>>(isPlainObject, 'must be an object')
    .superRefine((values, context) => {
      for (const key of Object.keys(values)) {
        const value = values[key];
        const fault =
          keyFault(key) ?? (typeof value === 'string' && isValue(value) ? null : `must be ${message}`);
        if (fault !== null) context.addIssue({ code: 'custom', path: [key], message: fault });
      }
    })
    .nullish();
}

/** Values that are text. */
export const textValues = valuesOf(() => true, 'a string');

/** Values that are bytes. */
export const base64Values = valuesOf((text) => base64Pattern.test(text), 'base64 with padding (RFC 4648)');

/** The fault of values that are too large together, or none. Base64 counts as the bytes that it means. */
export function sizeFaults(
  text: Readonly<Record<string, unknown>> | null | undefined,
  base64: Readonly<Record<string, unknown>> | null | undefined,
): Fault[] {
  const encoder = new TextEncoder();
  const ofText = Object.values(text ?? {}).map((value) => encoder.encode(value as string).length);
  const ofBase64 = Object.values(base64 ?? {}).map((value) => bytesOf(String(value)));
  const bytes = [...ofText, ...ofBase64].reduce((sum, size) => sum + size, 0);
  if (bytes <= maxDataBytes) return [];
  return [
    {
      path: '/spec/data',
      message: `has ${bytes} bytes with all its values; at most ${maxDataBytes} are allowed`,
    },
  ];
}

// Attack: a value of a million `=`, which is no base64. A regular expression that looks for the padding begins at every one of them.
function bytesOf(base64: string): number {
  const padding = ['==', '='].find((end) => base64.endsWith(end)) ?? '';
  return Math.floor((base64.length * 3) / 4) - padding.length;
}
