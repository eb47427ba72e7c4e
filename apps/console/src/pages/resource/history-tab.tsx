import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Fragment } from 'react';
import { request } from '../../api/http.ts';
import type { History, HistoryEntry } from '../../api/resource.ts';
import { groupHistory, pauseBefore } from '../../logic/history.ts';
import { Card } from '../../ui/card.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { HistoryFilters } from './history-filters.tsx';
import { HistoryGroupRow } from './history-group.tsx';
import { RevisionDiff } from './revision-diff.tsx';
import { partPath, type ResourceView } from './view.ts';

/** Who changed it, when, why and how. */
export function HistoryTab(view: ResourceView) {
  const { diff, operation = '', actor = '' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const path = partPath(view, 'history');
  const { revision } = view.resource.metadata;
  const history = useInfiniteQuery({
    queryKey: ['history', path, revision],
    queryFn: ({ pageParam, signal }) =>
      request<History>(
        `${path}?limit=50${pageParam === '' ? '' : `&continue=${encodeURIComponent(pageParam)}`}`,
        {
          signal,
        },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.metadata.continue,
    placeholderData: (before) => before,
  });
  if (history.error !== null) return <Failure error={history.error} what="read its history" />;
  if (history.data === undefined) return <Loading rows={6} />;
  const entries = history.data.pages.flatMap(({ items }) => items);
  const shown = entries.filter(
    (one) =>
      (operation === '' || one.operation === operation) && (actor === '' || one.actor.id.includes(actor)),
  );
  const groups = groupHistory(shown);
  const select = (range: string) =>
    void navigate({ to: '.', search: (before) => ({ ...before, diff: range }), resetScroll: false });
  const [before, after] = chosen(diff, entries[0]?.revision ?? revision);
  return (
    <div className="cards history">
      <Card title="Changes" flush>
        <HistoryFilters entries={entries} />
        {shown.length === 0 ? <p className="state muted">No change that was read matches.</p> : null}
        <ol className="rows">
          {groups.map((group, index) => {
            const pause = shown.length === entries.length ? pauseBefore(group, groups[index + 1]) : null;
            return (
              <Fragment key={group.key}>
                <HistoryGroupRow group={group} selected={after} onSelect={select} />
                {pause === null ? null : <li className="pause muted">No change for {pause}</li>}
              </Fragment>
            );
          })}
        </ol>
        {!history.hasNextPage && entries.length > 0 && !isWhole(entries) ? (
          <p className="state muted">Older changes are no longer in the change log.</p>
        ) : null}
        {history.hasNextPage ? (
          <p className="state">
            <button type="button" className="button" onClick={() => void history.fetchNextPage()}>
              Show older changes
            </button>
          </p>
        ) : null}
      </Card>
      <RevisionDiff
        view={view}
        before={before}
        after={after}
        revisions={[...new Set(entries.map((one) => one.revision))]}
        onSelect={select}
      />
    </div>
  );
}

/** Whether the history reaches back to the first revision. */
function isWhole(entries: readonly HistoryEntry[]): boolean {
  return entries.at(-1)?.revision === 1;
}

/** The two revisions of `?diff=9..12`; the newest and the one before it otherwise. */
function chosen(diff: string | undefined, newest: number): readonly [number, number] {
  const [, before, after] = /^(\d+)\.\.(\d+)$/.exec(diff ?? '') ?? [];
  return before === undefined || after === undefined ? [newest - 1, newest] : [Number(before), Number(after)];
}
