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
  const terms = (query.get('fieldSelector') ?? '').split(',').filter((term) => term.trim() !== '');
  const others: string[] = path.name === null ? [] : [`metadata.name=${path.name}`];
  let { namespace } = path;
  for (const term of terms) {
    const [, operator, value = ''] = namespaceTerm.exec(term.trim()) ?? [];
    if (operator === undefined) others.push(term);
    else if (operator === '!=') {
      if (namespace === value) return null;
      if (namespace === null) others.push(term);
    } else {
      if (namespace !== null && namespace !== value) return null;
      namespace = value;
    }
  }
  if (name !== null) others.push(`metadata.name=${name}`);
  const fieldSelector = others.length === 0 ? null : others.join(',');
  return { namespace, labelSelector, fieldSelector, matchesName };
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
