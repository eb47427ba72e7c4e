import { createRootRoute, Link, Outlet, retainSearchParams } from '@tanstack/react-router';
import { Announcer } from '../ui/announcer.tsx';
import { Page } from '../ui/page.tsx';
import { Shell } from './shell.tsx';

/** Everything that the URL of a view may say besides its path. Each page uses some of it. */
export interface ViewSearch {
  /** The scope: names of ancestors, root first, joined by slashes. Every link keeps it. */
  readonly in?: string | undefined;
  readonly tab?: string | undefined;
  /** `form` shows a draft as a form. */
  readonly as?: string | undefined;
  /** The revision that a draft begins with. */
  readonly draft?: string | undefined;
  /** The columns of a table, joined by commas. */
  readonly cols?: string | undefined;
  /** The uid of the resource in the side panel. */
  readonly panel?: string | undefined;
  readonly depth?: string | undefined;
  readonly operation?: string | undefined;
  readonly labels?: string | undefined;
  readonly fields?: string | undefined;
  readonly find?: string | undefined;
  readonly sort?: string | undefined;
  readonly rev?: string | undefined;
  readonly diff?: string | undefined;
  readonly q?: string | undefined;
  readonly kind?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly outcome?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly project?: string | undefined;
  readonly requestId?: string | undefined;
  /** A dialog that is open: `delete`, the question before a deletion. */
  readonly dialog?: string | undefined;
}

const names: readonly (keyof ViewSearch)[] = [
  'in',
  'tab',
  'as',
  'draft',
  'cols',
  'panel',
  'depth',
  'operation',
  'labels',
  'fields',
  'find',
  'sort',
  'rev',
  'diff',
  'q',
  'kind',
  'actor',
  'action',
  'outcome',
  'since',
  'until',
  'project',
  'requestId',
  'dialog',
];

export const rootRoute = createRootRoute({
  validateSearch: (search: Record<string, unknown>): ViewSearch =>
    Object.fromEntries(
      names.flatMap((name) =>
        typeof search[name] === 'string' && search[name] !== '' ? [[name, search[name]]] : [],
      ),
    ),
  search: { middlewares: [retainSearchParams<ViewSearch>(['in'])] },
  component: () => (
    <Shell>
      <Outlet />
      <Announcer />
    </Shell>
  ),
  notFoundComponent: () => (
    <Page title="The console has no such page">
      <p>
        The address may be mistyped. <Link to="/">Go home</Link>, or press Ctrl K to search.
      </p>
    </Page>
  ),
});
