import type { ComponentType } from 'react';
import type { TypedItem, TypedKind } from '../../typed/kind.ts';
import type { TableColumn } from '../../ui/paged-table.tsx';
import type { Fact } from './item-facts.tsx';

/** A kind below projects: its tab of the project and its page. The components replace the usual ones where a kind needs more. */
export interface ChildKind<T extends TypedItem> {
  /** Its collection, as in the paths of the API and of the console. */
  readonly collection: string;
  /** The id of its tab, part of the URL. */
  readonly tab: string;
  readonly title: string;
  readonly kind: TypedKind<T>;
  /** The columns of its tab, after the name. */
  readonly columns: readonly TableColumn<T>[];
  /** The facts on its page, before those that all kinds have. */
  readonly facts?: (item: T) => readonly Fact[];
  /** The consequences of deleting one. */
  readonly warning: string;
  readonly Tab?: ComponentType<ChildTabProps<T>>;
  /** Shows what only the answer to a create has, in place of opening the page of the new item. */
  readonly Created?: ComponentType<CreatedProps<T>>;
  readonly Page?: ComponentType<ChildPageProps<T>>;
}

export interface ChildTabProps<T extends TypedItem> {
  readonly child: ChildKind<T>;
  readonly project: string;
}

export interface ChildPageProps<T extends TypedItem> extends ChildTabProps<T> {
  readonly name: string;
}

export interface CreatedProps<T> {
  readonly item: T;
  readonly onClose: () => void;
}
