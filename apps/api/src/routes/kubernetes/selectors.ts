import type { Matches } from '@platform/change-log';
import { groupByKey } from '@platform/kernel';
import {
  isSecret,
  namespaceOfAncestors,
  namespaceSelector,
  phaseOf,
  statusFieldValue,
} from '@platform/kubernetes';
import { type Resource, SelectorFault } from '@platform/resources';
import type { ObjectRequest } from './object-request.ts';

/** The selectors of a list or a watch, as the resource API has them. */
export interface ListSelectors {
  readonly namespace: string | null;
  readonly labelSelector: string | null;
  readonly fieldSelector: string | null;
  /** Selects further, by what the resource API has no selector for; null when there is no such selector. */
  readonly matches: Matches | null;
}

/** A value of an object that the resource API has under another name, or not at all. */
interface ShownField {
  (resource: Resource): string;
  readonly readsStatus?: true;
}

const namespaceField = 'metadata.namespace';
const term = /^([^=!]+)(==?|!=)(.*)$/s;
/** Terms are separated by commas; a backslash takes the meaning off one. */
const terms = /(?:\\.|[^,])+/gs;

/** Reads the selectors. */
export function selectorsOf({ query, path, kind }: ObjectRequest): ListSelectors {
  const { labelSelector, name, matchesName } = labelsOf(query.get('labelSelector') || null, kind.form);
  const { others, only, required } = fieldsOf(query.get('fieldSelector') ?? '', path.namespace, kind);
  const names = [path.name, name].flatMap((one) => (one === null ? [] : [`metadata.name=${one}`]));
  const fieldSelector = [...names, ...others].join(',') || null;
  if (matchesName !== null) required.push([({ name: own }) => own, matchesName]);
  const matches = matchesOf(required);
  const readsStatus = required.some(([shownOf]) => shownOf.readsStatus === true);
  return {
    namespace: only,
    labelSelector,
    fieldSelector,
    matches: matches === null || !readsStatus ? matches : Object.assign(matches, { readsStatus }),
  };
}

/** A field with a condition on its value. */
type Requirement = readonly [ShownField, (value: string) => boolean];

/** Attack: thousands of terms about the type of a Secret, which is read from its spec: once for all of them. */
function matchesOf(required: readonly Requirement[]): ListSelectors['matches'] {
  const byField = [...groupByKey(required)];
  if (byField.length === 0) return null;
  return (resource) =>
    byField.every(([shownOf, conditions]) => {
      const value = shownOf(resource);
      return conditions.every((holds) => holds(value));
    });
}

/** The fields that objects of a kind are selected by in Kubernetes, besides those of the resource API. */
function shownFields(kind: ObjectRequest['kind']): Readonly<Record<string, ShownField>> {
  const { depth, form, statusFields = [] } = kind;
  const ofStatus = (field: string): ShownField =>
    Object.assign((resource: Resource) => statusFieldValue(resource, field), { readsStatus: true as const });
  return {
    ...Object.fromEntries(statusFields.map((field) => [field, ofStatus(field)])),
    ...(depth === 0 ? {} : { [namespaceField]: ({ ancestors }) => namespaceOfAncestors(ancestors) }),
    ...(form === 'namespace' ? { 'status.phase': phaseOf } : {}),
    ...(isSecret(kind)
      ? { type: ({ spec }) => (JSON.parse(spec) as { type?: string }).type ?? 'Opaque' }
      : {}),
  };
}

/** The namespace to look in, the terms about fields of the resource API, and the others. */
function fieldsOf(selector: string, namespace: string | null, kind: ObjectRequest['kind']) {
  const shown = shownFields(kind);
  const others: string[] = [];
  const required: Requirement[] = [];
  let only = namespace;
  for (const text of (selector.match(terms) ?? []).filter((one) => one.trim() !== '')) {
    const [, field = '', operator, escaped = ''] = term.exec(text.trim()) ?? [];
    const value = escaped.replace(/\\(.)/gs, '$1');
    const shownOf = Object.hasOwn(shown, field) ? shown[field] : undefined;
    if (shownOf === undefined) others.push(text);
    else if (field === namespaceField && only === null && operator !== '!=') only = value;
    else required.push([shownOf, (is) => (is === value) === (operator !== '!=')]);
  }
  return { only, others, required };
}

function labelsOf(text: string | null, form: ObjectRequest['kind']['form']) {
  const plain = { labelSelector: text, name: null, matchesName: null };
  if (text === null || form !== 'namespace') return plain;
  try {
    const selector = namespaceSelector(text);
    if (selector === null) return plain;
    const { labelSelector, name, matches } = selector;
    return { labelSelector, name, matchesName: matches };
  } catch (error) {
    // The resource API says what is wrong with it.
    if (error instanceof SelectorFault) return plain;
    throw error;
  }
}
