import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { stringify } from 'yaml';
import { RequestError, request } from '../../api/http.ts';
import type { Resource } from '../../api/resource.ts';
import { lineDiff } from '../../logic/line-diff.ts';
import { Card } from '../../ui/card.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { partPath, type ResourceView } from './view.ts';

/** The difference between two revisions. */
export function RevisionDiff({
  view,
  before,
  after,
  revisions,
  onSelect,
}: {
  readonly view: ResourceView;
  readonly before: number;
  readonly after: number;
  /** Those that were read, newest first. */
  readonly revisions: readonly number[];
  /** Told of a range such as `9..12`. */
  readonly onSelect: (range: string) => void;
}) {
  const [showsAll, setShowsAll] = useState(false);
  const path = partPath(view, 'history');
  const [old, current] = useQueries({
    queries: [before, after].map((revision) => ({
      queryKey: ['revision', path, revision],
      queryFn: ({ signal }: { signal: AbortSignal }) => readRevision(path, revision, signal),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const error = old?.error ?? current?.error ?? null;
  const [oldData, currentData] = [old?.data, current?.data];
  const lines = useMemo(
    () =>
      oldData === undefined || currentData === undefined
        ? null
        : lineDiff(comparableYaml(oldData, showsAll), comparableYaml(currentData, showsAll)),
    [oldData, currentData, showsAll],
  );
  return (
    <Card
      title={before === 0 ? `Revision ${after}` : `Revision ${before} to ${after}`}
      actions={
        <>
          <Link
            className="button"
            to="."
            search={({ in: scope }) => ({ in: scope, tab: 'yaml', draft: String(after) })}
          >
            Use this state as draft
          </Link>
          <label>
            <input
              type="checkbox"
              checked={showsAll}
              onChange={(event) => setShowsAll(event.target.checked)}
            />{' '}
            Status, revision and managed fields
          </label>
        </>
      }
    >
      <div className="toolbar">
        <RevisionChoice
          label="From revision"
          value={before}
          revisions={[...revisions.filter((one) => one < after), 0]}
          onChange={(one) => onSelect(`${one}..${after}`)}
        />
        <RevisionChoice
          label="to"
          value={after}
          revisions={revisions.filter((one) => one > before)}
          onChange={(one) => onSelect(`${before}..${one}`)}
        />
      </div>
      {error !== null ? <Failure error={error} what="read its history" /> : null}
      {error === null && lines === null ? <Loading rows={5} /> : null}
      {lines === null ? null : <DiffView lines={lines} />}
    </Card>
  );
}

function RevisionChoice({
  label,
  value,
  revisions,
  onChange,
}: {
  readonly label: string;
  readonly value: number;
  readonly revisions: readonly number[];
  readonly onChange: (revision: number) => void;
}) {
  const offered = [...new Set([value, ...revisions])].sort((a, b) => b - a);
  return (
    <label className="with-label">
      {label}
      <select className="input short" value={value} onChange={({ target }) => onChange(Number(target.value))}>
        {offered.map((one) => (
          <option key={one} value={one}>
            {one === 0 ? 'nothing' : one}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A revision; null before the first one and after the retention. */
async function readRevision(path: string, revision: number, signal: AbortSignal): Promise<Resource | null> {
  if (revision < 1) return null;
  try {
    return await request<Resource>(`${path}/${revision}`, { signal });
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return null;
    throw error;
  }
}

/** A resource as YAML in a fixed order of keys, so that only real changes show; whole, or without what the platform and controllers set. */
function comparableYaml(resource: Partial<Resource> | null, whole: boolean): string {
  if (resource === null) return '';
  const { status: _, metadata, ...rest } = resource;
  const { managedFields: __, revision: ___, generation: ____, ...shown } = metadata ?? {};
  return stringify(whole ? resource : { ...rest, metadata: shown }, { sortMapEntries: true, lineWidth: 0 });
}
