import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { useAccess } from '../../api/access.ts';
import type { Kind, KindRegistry } from '../../api/kinds.ts';
import { type CollectionPlace, collectionPath } from '../../api/resource.ts';
import { useSettings } from '../../app/settings.ts';
import { Icon } from '../../ui/icon.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { ColumnMenu } from './column-menu.tsx';
import { ConnectionState } from './connection-state.tsx';
import { Filters } from './filters.tsx';
import { Grid } from './grid.tsx';
import { PageGrid } from './page-grid.tsx';
import { PlaceCrumbs } from './place-crumbs.tsx';
import { RefusedTable } from './refused-table.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { type Selection, useSelection } from './use-selection.ts';
import { type Table, useTable } from './use-table.ts';

const SidePanel = lazy(() => import('./side-panel.tsx').then((module) => ({ default: module.SidePanel })));

interface TablePlace {
  readonly kind: Kind;
  readonly registry: KindRegistry;
  readonly place: CollectionPlace;
}

/** Every resource of a kind in one place, live. */
export function TablePage(of: TablePlace) {
  const { kind, registry, place } = of;
  const ancestors = useMemo(() => registry.ancestorsOf(kind) ?? [], [registry, kind]);
  const selection = useSelection();
  const { selected } = selection;
  const table = useTable({ kind, place, ancestors }, selected);
  const { state, tell } = table;
  const { refusal } = state;
  const faulty = refusal?.problem?.code === 'invalid_query' ? refusal.problem : null;
  return (
    <Page
      title={kind.plural}
      tab={`${kind.plural} ${place.ancestors.filter((name) => name !== '-').join('/')}`.trim()}
      crumbs={<PlaceCrumbs ancestors={ancestors} names={place.ancestors} registry={registry} />}
      badges={<ConnectionState state={state} onPause={(paused) => tell({ type: 'pause', paused })} />}
      actions={<NewLink kind={kind} place={place} />}
    >
      {kind.description === undefined ? null : <p className="muted lead">{kind.description}</p>}
      <Filters faulty={faulty}>
        <ColumnMenu all={table.all} shown={table.columns} />
      </Filters>
      {faulty !== null ? (
        <Empty title="The selector is not valid">
          <p className="muted">Correct it above, or clear the filters.</p>
        </Empty>
      ) : refusal !== null ? (
        <RefusedTable refusal={refusal} place={place} onRetry={() => tell({ type: 'retry' })} />
      ) : (
        <Rows of={of} table={table} selection={selection} />
      )}
      {selected.size === 0 ? null : (
        <SelectionBar
          {...of}
          rows={[...selected.values()]}
          missing={state.missing.filter((uid) => selected.has(uid))}
          selection={selection}
        />
      )}
    </Page>
  );
}

/** The way to a new resource in this place, or why there is none. */
function NewLink({ kind, place }: Pick<TablePlace, 'kind' | 'place'>) {
  const { group, version, plural, ancestors } = place;
  const may = useAccess(ancestors.includes('-') ? [] : [{ verb: 'create', path: collectionPath(place) }]);
  if (may('create') === false) return <span className="hint">You may not create {kind.plural} here</span>;
  return (
    <Link
      className="button"
      to="/new/$group/$version/$plural/$"
      params={{ group, version, plural, _splat: ancestors.join('/') }}
      search={{}}
    >
      <Icon name="plus" />
      New {kind.kind}
    </Link>
  );
}

/** The rows as a grid or in pages, and next to them the resource that is open. */
function Rows({
  of,
  table,
  selection,
}: {
  readonly of: TablePlace;
  readonly table: Table;
  readonly selection: Selection;
}) {
  const { kind, place } = of;
  const { panel } = useSearch({ strict: false });
  const { tables } = useSettings();
  const navigate = useNavigate();
  const showPanel = (uid: string | undefined) =>
    void navigate({ to: '.', search: (before) => ({ ...before, panel: uid }), resetScroll: false });
  const parts = ['table-view'];
  if (panel !== undefined) parts.push('with-panel');
  if (selection.selected.size > 0) parts.push('with-selection');
  const rows = { kind, place, table, selected: selection.selected, onSelect: selection.toggle };
  return (
    <div className={parts.join(' ')}>
      <div className="table-main">
        {tables === 'pages' ? (
          <PageGrid key={table.path} {...rows} />
        ) : (
          <Grid {...rows} onPanel={showPanel} onDelete={selection.remove} />
        )}
      </div>
      {panel === undefined ? null : (
        <Suspense fallback={null}>
          <SidePanel key={panel} {...of} uid={panel} onClose={() => showPanel(undefined)} />
        </Suspense>
      )}
    </div>
  );
}
