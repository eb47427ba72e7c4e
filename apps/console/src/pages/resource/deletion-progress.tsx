import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { request } from '../../api/http.ts';
import { useCaller } from '../../api/queries.ts';
import type { DeletionPlan } from '../../api/resource.ts';
import { isDeletion, useRefresh } from '../../live/use-refresh.ts';
import { exactTime } from '../../logic/age.ts';
import { partPath, type ResourceView } from './view.ts';

const refreshed = ['deletion-progress', 'explain'];
/** Only operators may watch all kinds, so that others ask how many dependents are left. */
const everyMs = 5_000;

/** How far a deletion is: what is still there below it, and how much of that is held. */
export function DeletionProgress(view: ResourceView) {
  const path = partPath(view, 'deletion-plan');
  const most = useRef(0);
  const { data: caller } = useCaller();
  const isLive = useRefresh(caller?.operator ? '/api/v1/changes?view=metadata' : null, refreshed, isDeletion);
  const plan = useQuery({
    queryKey: ['deletion-progress', path],
    queryFn: ({ signal }) => request<DeletionPlan>(path, { signal }),
    refetchInterval: isLive ? false : everyMs,
    retry: false,
  });
  const left = plan.data?.resources.length ?? 0;
  const held = plan.data?.resources.filter(({ effect }) => effect === 'held').length ?? 0;
  most.current = Math.max(most.current, left);
  const counted =
    most.current === 0
      ? ''
      : ` Removed ${most.current - left} of ${most.current}${held === 0 ? '' : `, ${held} held`}.`;
  return (
    <p className="banner" data-tone="deleting">
      Being deleted since {exactTime(view.resource.metadata.deletionTimestamp ?? '')}.{counted}
      <Link to="." search={(before) => ({ ...before, tab: 'explain' })}>
        What keeps it
      </Link>
    </p>
  );
}
