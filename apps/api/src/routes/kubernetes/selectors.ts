import { namespaceSelector } from '@platform/kubernetes';
import { SelectorFault } from '@platform/resources';
import type { ObjectRequest } from './object-request.ts';

/** The selectors of a list or a watch, as the resource API has them. */
export interface ListSelectors {
  readonly namespace: string | null;
  readonly labelSelector: string | null;
  readonly fieldSelector: string | null;
  /** Which of the selected Namespaces have the label that only Namespaces have; null for all. */
  readonly matchesName: ((name: string) => boolean) | null;
}

const namespaceTerm = /^metadata\.namespace(==?|!=)(.*)$/;

/** Reads the selectors; null when they select a namespace that is not that of the path. */
export function selectorsOf({ query, path, kind }: ObjectRequest): ListSelectors | null {
  const { labelSelector, name, matchesName } = labelsOf(query.get('labelSelector') || null, kind.form);
  const fields = fieldsOf(query.get('fieldSelector') ?? '', path.namespace);
  if (fields === null) return null;
  const names = [path.name, name].flatMap((one) => (one === null ? [] : [`metadata.name=${one}`]));
  const fieldSelector = [...names, ...fields.others].join(',') || null;
  return { namespace: fields.namespace, labelSelector, fieldSelector, matchesName };
}

/** The namespace that a field selector leaves, and its terms about other fields; null when none is left. */
function fieldsOf(selector: string, namespace: string | null) {
  const others: string[] = [];
  let only = namespace;
  for (const term of selector.split(',').filter((one) => one.trim() !== '')) {
    const [, operator, value = ''] = namespaceTerm.exec(term.trim()) ?? [];
    const excludes = operator === '!=';
    if (operator === undefined || (excludes && only === null)) others.push(term);
    else if (only === null) only = value;
    else if (excludes === (only === value)) return null;
  }
  return { namespace: only, others };
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
