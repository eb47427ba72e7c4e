import { Problem } from '@platform/kernel';
import { type KubernetesEvent, rootNamespace } from './event.ts';

/** The fields that events of the core group are selected by, as in Kubernetes. */
const coreFields = [
  ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(
    (member) => `involvedObject.${member}`,
  ),
  ...['reason', 'reportingComponent', 'source', 'type', 'metadata.name', 'metadata.namespace'],
];

/** The names of some of them in `events.k8s.io`. */
const otherNames: readonly (readonly [RegExp, string])[] = [
  [/^regarding\./, 'involvedObject.'],
  [/^reportingController$/, 'reportingComponent'],
];

interface Term {
  readonly field: string;
  readonly value: string;
  readonly isNegated: boolean;
}

/** The field selector of a list or a watch of events. */
export interface EventSelector {
  /** The value that events must have in a field of the core group; null when any will do. */
  required(field: string): string | null;
  matches(event: KubernetesEvent): boolean;
}

/** Reads a field selector. Throws `invalid_query` for a field that events are not selected by. */
export function parseEventSelector(text: string): EventSelector {
  const terms = (text.match(/(?:\\.|[^,\\])+/g) ?? []).map(termOf);
  return {
    required: (field) => terms.find((term) => term.field === field && !term.isNegated)?.value ?? null,
    matches: (event) =>
      terms.every(({ field, value, isNegated }) => (selectedValue(event, field) === value) !== isNegated),
  };
}

function termOf(text: string): Term {
  // Attack: thousands of spaces within a value. A regular expression that looks for those at the end begins at every one of them.
  const match = /^([^=!\s]+)\s*(==?|!=)\s*(.*)$/s.exec(text.trim());
  if (match === null) {
    throw new Problem('invalid_query', `invalid field selector: ${JSON.stringify(text.slice(0, 100))}`);
  }
  const [, name = '', operator, value = ''] = match;
  const field = otherNames.reduce((known, [pattern, core]) => known.replace(pattern, core), name);
  if (!coreFields.includes(field)) {
    throw new Problem('invalid_query', `field label not supported: ${name.slice(0, 100)}`);
  }
  return { field, value: value.replaceAll(/\\(.)/gs, '$1'), isNegated: operator === '!=' };
}

type Members = Readonly<Record<string, Readonly<Record<string, string>> | string | undefined>>;

function selectedValue(event: KubernetesEvent, field: string): string {
  const members = event as unknown as Members;
  const [first = '', second] = field.split('.');
  switch (first) {
    case 'involvedObject':
    case 'metadata': {
      const whole = members[first] ?? members['regarding'];
      return typeof whole === 'object' ? (whole[second ?? ''] ?? '') : '';
    }
    case 'source':
    case 'reportingComponent':
      return String(members['reportingComponent'] ?? members['reportingController'] ?? '');
    default:
      return String(members[first] ?? '');
  }
}

/** Whether a resource with these ancestors has its events in the namespace; null for every namespace. */
export function hasEventsIn(namespace: string | null, ancestors: readonly string[]): boolean {
  if (namespace === null) return true;
  return ancestors.length === 0 ? namespace === rootNamespace : ancestors.join(':') === namespace;
}
