import type { ObjectPath } from './path.ts';

/** The selectors of a list or a watch, as the resource API has them. */
export interface ListSelectors {
  readonly namespace: string | null;
  readonly labelSelector: string | null;
  readonly fieldSelector: string | null;
}

const namespaceTerm = /^metadata\.namespace(==?|!=)(.*)$/;

/** Reads the selectors; null when they select a namespace that is not that of the path. */
export function selectorsOf(query: URLSearchParams, path: ObjectPath): ListSelectors | null {
  const labelSelector = query.get('labelSelector') || null;
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
  return { namespace, labelSelector, fieldSelector: others.length === 0 ? null : others.join(',') };
}
