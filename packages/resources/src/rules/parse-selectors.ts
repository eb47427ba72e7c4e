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

/** Parses the selectors that a client gave no or one time. Throws `invalid_query` with the position of every fault. */
export function parseSelectors(
  given: { readonly labels: readonly string[]; readonly fields: readonly string[] },
  selectableFields: readonly string[],
): Selectors {
  const faults: string[] = [];
  const parseOne = <T>(
    name: string,
    [text = '', ...more]: readonly string[],
    parse: (text: string) => readonly T[],
  ): readonly T[] => {
    try {
      if (more.length === 0) return parse(text);
      faults.push(`Query parameter ${name} must appear once.`);
    } catch (error) {
      if (!(error instanceof SelectorFault)) throw error;
      faults.push(`${name} is invalid at character ${error.at + 1}: ${error.message}.`);
    }
    return [];
  };
  const labels = parseOne('labelSelector', given.labels, parseLabelSelector);
  const fields = parseOne('fieldSelector', given.fields, (text) =>
    parseFieldSelector(text, selectableFields),
  );
  if (faults.length > 0) throw new Problem('invalid_query', faults.join(' '));
  return { labels, fields };
}

/** The path and the selectors of a list as a short text, which its continue tokens are bound to. */
export function bindingOf({ ref, version }: CollectionTarget, { labels, fields }: Selectors): string {
  const parts = [ref.group, version, ref.kind, ref.ancestors.map(({ name }) => name), labels, fields];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}
