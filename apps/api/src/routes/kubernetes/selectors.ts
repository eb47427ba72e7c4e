import { namespaceSelector } from '@platform/kubernetes';
import { type Resource, SelectorFault } from '@platform/resources';
import type { ObjectRequest } from './object-request.ts';

/** The selectors of a list or a watch, as the resource API has them. */
export interface ListSelectors {
  readonly namespace: string | null;
  readonly labelSelector: string | null;
  readonly fieldSelector: string | null;
  /** Selects further, by what the resource API has no selector for; null when there is no such selector. */
  readonly matches: ((resource: Pick<Resource, 'name' | 'ancestors'>) => boolean) | null;
}

const namespaceTerm = /^metadata\.namespace(==?|!=)(.*)$/;

/** Reads the selectors. */
export function selectorsOf({ query, path, kind }: ObjectRequest): ListSelectors {
  const { labelSelector, name, matchesName } = labelsOf(query.get('labelSelector') || null, kind.form);
  const fields = fieldsOf(query.get('fieldSelector') ?? '', path.namespace, kind.depth);
  const names = [path.name, name].flatMap((one) => (one === null ? [] : [`metadata.name=${one}`]));
  const fieldSelector = [...names, ...fields.others].join(',') || null;
  const { namespace, matchesNamespace } = fields;
  const matches: ListSelectors['matches'] =
    matchesName === null && matchesNamespace === null
      ? null
      : (resource) =>
          (matchesName?.(resource.name) ?? true) &&
          (matchesNamespace?.(resource.ancestors.join(':')) ?? true);
  return { namespace, labelSelector, fieldSelector, matches };
}

/** The namespace to look in, which further ones of it are selected, and the terms about other fields. */
function fieldsOf(selector: string, namespace: string | null, depth: number) {
  const others: string[] = [];
  const wanted: { readonly value: string; readonly isExcluded: boolean }[] = [];
  let only = namespace;
  for (const term of selector.split(',').filter((one) => one.trim() !== '')) {
    const [, operator, value = ''] = namespaceTerm.exec(term.trim()) ?? [];
    // Objects without a namespace are not selected by one, as in Kubernetes.
    if (operator === undefined || depth === 0) others.push(term);
    else if (only === null && operator !== '!=') only = value;
    else wanted.push({ value, isExcluded: operator === '!=' });
  }
  const matchesNamespace =
    wanted.length === 0
      ? null
      : (own: string) => wanted.every(({ value, isExcluded }) => (own === value) !== isExcluded);
  return { namespace: only, others, matchesNamespace };
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
