import { createHash } from 'node:crypto';
import { Problem } from '@platform/kernel';
import { type FieldSelector, parseFieldSelector } from '../model/field-selector.ts';
import { type LabelSelector, parseLabelSelector } from '../model/label-selector.ts';
import { SelectorFault } from '../model/selector-fault.ts';
import type { CollectionTarget } from '../model/target.ts';

/** The selectors of a request. */
export interface Selectors {
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
}

/** Parses the selectors that a client gave no or one time. Throws `invalid_query` with the position of the fault. */
export function parseSelectors(
  given: { readonly labels: readonly string[]; readonly fields: readonly string[] },
  selectableFields: readonly string[],
): Selectors {
  return {
    labels: parseOne('labelSelector', given.labels, parseLabelSelector),
    fields: parseOne('fieldSelector', given.fields, (text) => parseFieldSelector(text, selectableFields)),
  };
}

function parseOne<T>(name: string, [text = '', ...more]: readonly string[], parse: (text: string) => T): T {
  if (more.length > 0) throw new Problem('invalid_query', `Query parameter ${name} must appear once.`);
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof SelectorFault)) throw error;
    throw new Problem('invalid_query', `${name} is invalid at character ${error.at + 1}: ${error.message}.`);
  }
}

/** The path and the selectors of a list as a short text, which its continue tokens are bound to. */
export function bindingOf({ ref, version }: CollectionTarget, { labels, fields }: Selectors): string {
  const parts = [ref.group, version, ref.kind, ref.ancestors.map(({ name }) => name), labels, fields];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}
