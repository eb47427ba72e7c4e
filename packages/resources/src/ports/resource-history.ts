import type { ChangeContext } from '../model/change-context.ts';
import type { Resource } from '../model/resource.ts';

/** One entry of the change log about a resource. */
export interface HistoryEntry extends ChangeContext {
  /** The point of the log after the entry, as text; null while the log has not ordered it yet. */
  readonly cursor: string | null;
  /** Its number in the log; it grows with the revisions of one resource. */
  readonly seq: number;
  /** RFC 3339 in UTC with milliseconds. */
  readonly time: string;
  readonly removed: boolean;
  /** After the write; the last stored state when it was removed. */
  readonly resource: Resource;
  /** Before the write; null for a new resource, and where the log does not reach back so far. */
  readonly previous: Resource | null;
  /** For a RoleBinding, the uids of its scope and of everything above that, after the write; otherwise none. */
  readonly scopeUids: readonly string[];
  /** Set on the last entry of a page that ends early: more entries follow, whose documents are too large for it. */
  readonly endsPage?: true;
}

/** The place of an entry in the history of a resource. */
export type HistoryPlace = Pick<HistoryEntry, 'seq'> & { readonly revision: number };

/**
 * The scopes of a caller who may see the states of a RoleBinding in one of them, or below one; null for every state of every resource.
 * Scopes that no longer exist count for nothing.
 */
type SeenScopes = readonly string[] | null;

/** Reads of the change log by resource. It reaches back for the retention. */
export interface ResourceHistory {
  /**
   * Must return up to `limit` entries of the resource before the place (null: from the newest on), newest first; fewer when their documents
   * are large. Must leave out entries that are in none of the scopes, and the state before an entry when that was in none of them.
   */
  entries(
    uid: string,
    page: { readonly limit: number; readonly before: HistoryPlace | null; readonly scopes: SeenScopes },
  ): Promise<readonly HistoryEntry[]>;

  /** Must return the resource as it was at the revision, or null, also when it was in none of the scopes. */
  at(uid: string, revision: number, scopes: SeenScopes): Promise<Resource | null>;

  /**
   * Must return up to `limit` of the newest `among` entries of the log, newest first: those of resources with these ancestors, root first,
   * or of all; without those of a kind of the platform that is left out. Their resources have no documents (`metadata`, `spec` and `status`
   * are `{}`), and none has the state before.
   *
   * Attack: a caller changes a resource of a megabyte hundreds of times, and whoever asks for events has all of that read.
   */
  recent(
    scope: { readonly ancestors: readonly (readonly string[])[] | null; readonly without: string },
    page: { readonly limit: number; readonly among: number },
  ): Promise<readonly HistoryEntry[]>;

  /**
   * Must return up to `limit` removals of resources of the kind below the parent (null: at the root), newest first; fewer when their documents
   * are large. `before` is the `seq` of the last entry of the page before. With `scopes`, only of RoleBindings at the root.
   */
  removals(
    collection: {
      readonly group: string;
      readonly kind: string;
      readonly parentUid: string | null;
      readonly scopes: SeenScopes;
    },
    page: { readonly limit: number; readonly before: number | null },
  ): Promise<readonly HistoryEntry[]>;
}
