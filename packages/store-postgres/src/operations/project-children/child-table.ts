import type { Draft, ProjectChild } from '@platform/projects';
import type { Parameter } from '../../connection.ts';

/** How one kind below projects is kept: its table, and the columns beside those that every kind has. */
export interface ChildTable<R extends ProjectChild> {
  readonly table: string;
  /** Each column with the type that its parameter is cast to. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** The values of {@link columns} for a record, in their order. */
  write(draft: Draft<R>): readonly Parameter[];
  /** The record with those values. */
  read(child: ProjectChild, values: readonly unknown[]): R;
}
