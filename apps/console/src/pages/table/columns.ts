import type { Definition } from '../../api/queries.ts';
import type { Column } from '../../logic/columns.ts';

const none: readonly Column[] = [];

/** The columns that a version of a definition declares; those with a priority are for wide tables. */
export function columnsOf(definition: Definition | null, version: string): readonly Column[] {
  const found = definition?.spec.versions.find(({ name }) => name === version);
  return found?.additionalPrinterColumns ?? none;
}
