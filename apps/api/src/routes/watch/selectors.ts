import { Problem } from '@platform/kernel';
import {
  type FieldSelector,
  type LabelSelector,
  matchesFields,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
  SelectorFault,
} from '@platform/resources';
import type { Matches } from '@platform/watch';

/** Whether a resource has the labels and fields that a query selects; null when it selects nothing. Throws `invalid_query` with every fault. */
export function parseSelectors(query: URLSearchParams): Matches | null {
  const faults: string[] = [];
  const parse = <T>(name: string, read: (text: string) => T, none: T): T => {
    const [text, ...more] = query.getAll(name);
    if (text === undefined) return none;
    try {
      if (more.length > 0) throw new SelectorFault('must appear once', 0);
      return read(text);
    } catch (error) {
      if (!(error instanceof SelectorFault)) throw error;
      faults.push(`${name}: ${error.message} (at character ${error.at}).`);
      return none;
    }
  };
  const labels = parse<LabelSelector>('labelSelector', parseLabelSelector, []);
  const fields = parse<FieldSelector>('fieldSelector', (text) => parseFieldSelector(text, []), []);
  if (faults.length > 0) throw new Problem('invalid_query', faults.join(' '));
  if (labels.length + fields.length === 0) return null;
  return (resource) => matchesLabels(labels, resource.labels) && matchesFields(fields, resource);
}
