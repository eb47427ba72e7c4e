import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { useAccess } from '../../api/access.ts';
import { RequestError } from '../../api/http.ts';
import type { Kind, KindRegistry } from '../../api/kinds.ts';
import { type CollectionPlace, collectionPath } from '../../api/resource.ts';
import { useSettings } from '../../app/settings.ts';
import type { Row } from '../../live/row.ts';
import { useLiveTable } from '../../live/use-live-table.ts';
import type { Column } from '../../logic/columns.ts';
import { Icon } from '../../ui/icon.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failure } from '../../ui/states.tsx';
import { ColumnMenu } from './column-menu.tsx';
import { ConnectionState } from './connection-state.tsx';
import { Filters } from './filters.tsx';
import { Grid } from './grid.tsx';
import { allColumns, shownColumns } from './layout.ts';
import { PageGrid } from './page-grid.tsx';
import { PlaceCrumbs } from './place-crumbs.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useSelection } from './use-selection.ts';
import { useSort } from './use-sort.ts';

const SidePanel = lazy(() => import('./side-panel.tsx').then((module) => ({ default: module.SidePanel })));

/** The path and the query of the list that a table shows. */
function listPath(
  place: CollectionPlace,
  {
    labels,
    fields,
    columns,
  }: {
    readonly labels: string | undefined;
    readonly fields: string | undefined;
    readonly columns: readonly Column[];
  },
): string {
  const query = new URLSearchParams();
  if (labels !== undefined) query.set('labelSelector', labels);
  if (fields !== undefined) query.set('fieldSelector', fields);
  // Without columns of its own a table needs no more than the metadata.
  if (columns.length === 0) query.set('view', 'metadata');
  return `${collectionPath(place)}${query.size === 0 ? '' : `?${query}`}`;
}

/** Every resource of a kind in one place, live. */
export function TablePage({
  kind,
  registry,
  place,
}: {
  readonly kind: Kind;
  readonly registry: KindRegistry;
  readonly place: CollectionPlace;
}) {
  const { labels, fields, find = '', cols, panel } = useSearch({ strict: false });
  // As text, so that kinds that were read again do not open the same table again.
  const declared = JSON.stringify(
    kind.versions.find(({ name }) => name === place.version)?.additionalPrinterColumns ?? [],
  );
  const columns = useMemo(() => JSON.parse(declared) as readonly Column[], [declared]);
  const path = listPath(place, { labels, fields, columns });
  const { state, tell } = useLiveTable(path, columns);
  // Again for each list that is opened: a new one knows nothing of the text in the URL.
  // biome-ignore lint/correctness/useExhaustiveDependencies: they open another list
  useEffect(() => tell({ type: 'filter', text: find }), [find, path, columns, tell]);
  const ancestors = useMemo(() => registry.ancestorsOf(kind) ?? [], [registry, kind]);
  const may = useAccess(
    place.ancestors.includes('-') ? [] : [{ verb: 'create', path: collectionPath(place) }],
  );
  const all = useMemo(() => allColumns(columns, ancestors), [columns, ancestors]);
  const [sort, changeSort] = useSort(all);
  // An order of one's own needs every row; a list that is opened again begins without.
  useEffect(() => tell({ type: 'sort', sort: state.complete ? sort : null }), [sort, state.complete, tell]);
  const shown = useMemo(() => shownColumns(all, cols), [all, cols]);
  const { tables } = useSettings();
  const { selected, toggle, clear, drop } = useSelection();
  // biome-ignore lint/correctness/useExhaustiveDependencies: they open another list
  useEffect(() => tell({ type: 'select', uids: [...selected.keys()] }), [selected, path, columns, tell]);
  const missing = state.missing.filter((uid) => selected.has(uid));
  const [bulk, setBulk] = useState<'delete' | null>(null);
  const navigate = useNavigate();
  const showPanel = (uid: string | undefined) =>
    void navigate({ to: '.', search: (before) => ({ ...before, panel: uid }), resetScroll: false });
  const plan = (row: Row) => {
    if (!selected.has(row.uid)) toggle(row);
    setBulk('delete');
  };
  const faulty = state.refusal?.problem?.code === 'invalid_query' ? state.refusal.problem : null;
  return (
    <Page
      title={kind.plural}
      tab={`${kind.plural} ${place.ancestors.filter((name) => name !== '-').join('/')}`.trim()}
      crumbs={<PlaceCrumbs ancestors={ancestors} names={place.ancestors} registry={registry} />}
      badges={<ConnectionState state={state} onPause={(paused) => tell({ type: 'pause', paused })} />}
      actions={
        may('create') === false ? (
          <span className="hint">You may not create {kind.plural} here</span>
        ) : (
          <Link
            className="button"
            to="/new/$group/$version/$plural/$"
            params={{
              group: place.group,
              version: place.version,
              plural: place.plural,
              _splat: place.ancestors.join('/'),
            }}
            search={{}}
          >
            <Icon name="plus" />
            New {kind.kind}
          </Link>
        )
      }
    >
      {kind.description === undefined ? null : <p className="muted lead">{kind.description}</p>}
      <Filters faulty={faulty}>
        <ColumnMenu all={all} shown={shown} />
      </Filters>
      {selected.size === 0 ? null : (
        <SelectionBar
          kind={kind}
          registry={registry}
          place={place}
          rows={[...selected.values()]}
          open={bulk}
          onOpen={setBulk}
          onClear={clear}
          missing={missing}
          onDrop={drop}
        />
      )}
      {faulty !== null ? (
        <Empty title="The selector is not valid">
          <p className="muted">Correct it above, or clear the filters.</p>
        </Empty>
      ) : state.refusal !== null ? (
        <RefusedTable refusal={state.refusal} place={place} />
      ) : (
        <div className={panel === undefined ? 'table-view' : 'table-view with-panel'}>
          <div className="table-main">
            {tables === 'pages' ? (
              <PageGrid
                kind={kind}
                place={place}
                state={state}
                tell={tell}
                sort={sort}
                onSort={changeSort}
                selected={selected}
                columns={shown}
                onSelect={toggle}
              />
            ) : (
              <Grid
                kind={kind}
                place={place}
                state={state}
                tell={tell}
                sort={sort}
                onSort={changeSort}
                selected={selected}
                columns={shown}
                onSelect={toggle}
                onPanel={showPanel}
                onDelete={plan}
              />
            )}
          </div>
          {panel === undefined ? null : (
            <Suspense fallback={null}>
              <SidePanel
                key={panel}
                kind={kind}
                registry={registry}
                place={place}
                uid={panel}
                onClose={() => showPanel(undefined)}
              />
            </Suspense>
          )}
        </div>
      )}
    </Page>
  );
}

function RefusedTable({
  refusal,
  place: { group, version, plural, ancestors },
}: {
  readonly refusal: NonNullable<ReturnType<typeof useLiveTable>['state']['refusal']>;
  readonly place: CollectionPlace;
}) {
  const { status, problem, requestId, path } = refusal;
  const error = new RequestError({ method: 'GET', path }, status, problem, requestId);
  const navigate = useNavigate();
  return (
    <>
      <Failure error={error} what={`list ${plural} here`} />
      <div className="toolbar">
        {ancestors.includes('-') ? null : (
          <OpenByName
            plural={plural}
            onOpen={(name) =>
              void navigate({
                to: '/r/$group/$version/$plural/$',
                params: { group, version, plural, _splat: [...ancestors, name].join('/') },
              })
            }
          />
        )}
        {ancestors.every((name) => name === '-') ? null : (
          <Link
            className="button"
            to="/r/$group/$version/$plural"
            params={{ group, version, plural }}
            search={{ in: undefined }}
          >
            <Icon name="search" />
            Search everywhere
          </Link>
        )}
        <Link to="/kinds" className="button">
          All kinds
        </Link>
      </div>
    </>
  );
}

/** Somebody may get a resource without being allowed to list its siblings. */
function OpenByName({
  plural,
  onOpen,
}: {
  readonly plural: string;
  readonly onOpen: (name: string) => void;
}) {
  return (
    <form
      className="with-label"
      onSubmit={(event) => {
        event.preventDefault();
        const name = String(new FormData(event.currentTarget).get('name')).trim();
        if (name !== '') onOpen(name);
      }}
    >
      <input
        className="input mono"
        name="name"
        aria-label={`Name of one of the ${plural}`}
        placeholder="name"
      />
      <button type="submit" className="button">
        Open by name
      </button>
    </form>
  );
}
