import { type Fault, maxFaults } from '@platform/kernel';
import { dnsSubdomainPattern, maxNameLength } from './names.ts';

/** The labels of a resource, by key. */
export type Labels = Readonly<Record<string, string>>;

/** The labels of a resource without any. */
export const noLabels: Labels = {};

/** The most labels of a resource: each is two entries in the index of labels. */
const maxLabels = 256;

const namePattern = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const maxLength = 63;

/** Why a text is no label key, or null. A key is `name` or `prefix/name`, as in Kubernetes. */
export function labelKeyFault(key: string): string | null {
  const parts = key.split('/');
  const name = parts.at(-1) ?? '';
  const [prefix] = parts;
  if (parts.length > 2) return 'a label key has at most one slash: prefix/name';
  if (parts.length === 2 && (prefix === undefined || prefix.length > maxNameLength || !isSubdomain(prefix)))
    return `the prefix of a label key must be a DNS subdomain of at most ${maxNameLength} characters`;
  if (name.length > maxLength || !namePattern.test(name))
    return `the name of a label key must have 1 to ${maxLength} characters: letters, digits, "-", "_" and ".", with a letter or digit at both ends`;
  return null;
}

/** Why a text is no label value, or null. It may be empty. */
export function labelValueFault(value: string): string | null {
  if (value === '' || (value.length <= maxLength && namePattern.test(value))) return null;
  return `a label value must be empty or have at most ${maxLength} characters: letters, digits, "-", "_" and ".", with a letter or digit at both ends`;
}

/** Every fault of a map of labels, by JSON pointer steps; of one with far too many, those of the first. */
export function labelFaults(labels: Readonly<Record<string, unknown>>): readonly LabelFault[] {
  const keys = Object.keys(labels);
  const faults = keys.slice(0, maxFaults + 1).flatMap((key) => {
    const value = labels[key];
    const atKey = labelKeyFault(key);
    const atValue = typeof value === 'string' ? labelValueFault(value) : 'must be a string';
    return [atKey, atValue].flatMap((message) => (message === null ? [] : [{ path: [key], message }]));
  });
  return keys.length > maxLabels
    ? [...faults, { path: [], message: `must have at most ${maxLabels} labels` }]
    : faults;
}

interface LabelFault extends Pick<Fault, 'message'> {
  readonly path: string[];
}

function isSubdomain(text: string): boolean {
  return dnsSubdomainPattern.test(text);
}
