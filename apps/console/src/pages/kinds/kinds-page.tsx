import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useAccess } from '../../api/access.ts';
import {
  definitionName,
  isBuiltIn,
  type Kind,
  type KindRegistry,
  kindsNamed,
  platformGroup,
  preferredVersion,
} from '../../api/kinds.ts';
import { definitionsPath, useKinds } from '../../api/queries.ts';
import { kindLink } from '../../app/links.ts';
import { useScope } from '../../app/scope.ts';
import { Icon } from '../../ui/icon.tsx';
import { Page } from '../../ui/page.tsx';
import { DataTable, type TableColumn } from '../../ui/paged-table.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';

const questions = [{ verb: 'create', path: definitionsPath }];

/** Every kind that the caller may know, as a tree of parents by group. */
export function KindsPage() {
  const kinds = useKinds();
  const may = useAccess(questions);
  return (
    <Page
      title="Kinds"
      actions={
        may('create') === true ? (
          <Link
            className="button"
            to="/new/$group/$version/$plural/$"
            params={{ group: platformGroup, version: 'v1alpha1', plural: 'resourcedefinitions', _splat: '' }}
          >
            <Icon name="plus" />
            New kind
          </Link>
        ) : null
      }
    >
      {kinds.error !== null ? (
        <Failure error={kinds.error} what="list kinds" retry={() => void kinds.refetch()} />
      ) : kinds.data === undefined ? (
        <Loading rows={6} />
      ) : kinds.data.all.length === 0 ? (
        <Empty title="No kinds yet" />
      ) : (
        <KindTable registry={kinds.data} />
      )}
    </Page>
  );
}

/** Kinds that are shown at first, and added by *Show more*. */
const rowsOfPage = 200;

function KindTable({ registry }: { readonly registry: KindRegistry }) {
  const scope = useScope();
  const { q = '' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [most, setMost] = useState(rowsOfPage);
  const found = kindsNamed(registry.all, q);
  const columns: readonly TableColumn<Kind>[] = [
    {
      name: 'Kind',
      cell: (kind) => (
        <>
          <Link {...kindLink(registry, kind, scope)}>{kind.plural}</Link>
          <div className="muted">{kind.kind}</div>
        </>
      ),
    },
    { name: 'Group', cell: ({ group }) => group },
    {
      name: 'Below',
      cell: (kind) =>
        (registry.ancestorsOf(kind) ?? []).map((parent) => parent.kind).join(' / ') || (
          <span className="muted">root</span>
        ),
    },
    { name: 'Versions', cell: versionsOf },
    { name: 'Short names', cell: ({ shortNames = [] }) => shortNames.join(', ') },
    { name: 'Description', cell: ({ description }) => description },
    { name: 'Definition', cell: (kind) => <Schema kind={kind} /> },
  ];
  return (
    <>
      <search className="toolbar">
        <input
          className="input"
          type="search"
          aria-label="Find a kind"
          placeholder="Find a kind"
          value={q}
          onChange={({ target }) =>
            void navigate({
              to: '.',
              search: (before) => ({ ...before, q: target.value }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      </search>
      <DataTable
        items={found.slice(0, most)}
        more={found.length > most ? () => setMost(most + rowsOfPage) : null}
        label="Kinds"
        none="No kind matches"
        keyOf={({ group, plural }) => `${group}/${plural}`}
        columns={columns}
      />
    </>
  );
}

function Schema({ kind }: { readonly kind: Kind }) {
  if (isBuiltIn(kind)) return <span className="muted">built in</span>;
  return (
    <Link
      to="/r/$group/$version/$plural/$"
      params={{
        group: platformGroup,
        version: 'v1alpha1',
        plural: 'resourcedefinitions',
        _splat: definitionName(kind),
      }}
      search={{ tab: 'yaml', as: 'form' }}
      aria-label={`Schema of ${kind.plural}`}
    >
      Schema
    </Link>
  );
}

function versionsOf(kind: Kind): string {
  const preferred = preferredVersion(kind);
  return kind.versions
    .map(({ name, served }) => (served ? name : `${name} (not served)`))
    .sort((a, b) => Number(b === preferred) - Number(a === preferred))
    .join(', ');
}
