import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { RequestError, request } from '../../api/http.ts';
import type { Resource } from '../../api/resource.ts';
import { comparableYaml } from '../../logic/document.ts';
import { lineDiff } from '../../logic/line-diff.ts';
import { Card } from '../../ui/card.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { partPath, type ResourceView } from './view.ts';

/** What changed between two revisions. */
export function RevisionDiff({
  view,
  before,
  after,
}: {
  readonly view: ResourceView;
  readonly before: number;
  readonly after: number;
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
  const hidden = { status: !showsAll, managedFields: !showsAll };
  const isReady = old?.data !== undefined && current?.data !== undefined;
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
            Status and managed fields
          </label>
        </>
      }
    >
      {error !== null ? <Failure error={error} what="read its history" /> : null}
      {error === null && !isReady ? <Loading rows={5} /> : null}
      {isReady ? (
        <DiffView
          lines={lineDiff(
            comparableYaml(old.data ?? null, hidden),
            comparableYaml(current.data ?? null, hidden),
          )}
        />
      ) : null}
    </Card>
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
