import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { reasonHeader, write } from '../../api/change.ts';
import { RequestError, request } from '../../api/http.ts';
import { type DeletionPlan, itemPath } from '../../api/resource.ts';
import { announce } from '../../ui/announcer.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ReasonField } from '../../ui/reason-field.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { WriteFailure } from '../../ui/write-failure.tsx';
import { PlanView } from './plan-view.tsx';
import { partPath, type ResourceView } from './view.ts';

/** Says what a deletion takes along before it happens, and deletes exactly that. */
export function DeletionDialog({
  view,
  onClose,
}: {
  readonly view: ResourceView;
  readonly onClose: () => void;
}) {
  const { kind, place, resource, registry } = view;
  const { name, uid, ancestors } = resource.metadata;
  const navigate = useNavigate();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const path = partPath(view, 'deletion-plan');
  const plan = useQuery({
    queryKey: ['deletion-plan', path],
    queryFn: ({ signal }) => request<DeletionPlan>(path, { signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const deletion = useMutation({
    mutationFn: () => {
      const query = new URLSearchParams({ uid });
      if (plan.data?.hash) query.set('plan', plan.data.hash);
      return write<{ deleted: boolean }>(`${itemPath(place)}?${query}`, {
        method: 'DELETE',
        headers: reasonHeader(reason),
      });
    },
    onSuccess: ({ deleted }) => {
      announce(deleted ? `${name} is deleted` : `${name} is being deleted`);
      onClose();
      if (!deleted) return;
      const { group, version } = place;
      const params = { group, version, plural: kind.plural, _splat: ancestors.join('/') };
      void navigate({ to: '/r/$group/$version/$plural/$', params });
    },
    onError: (error) => {
      // The plan that was read does not hold any more: the new one is shown, and asked about again.
      if (error instanceof RequestError && error.code === 'plan_changed') {
        setTyped('');
        void plan.refetch();
      }
    },
  });
  const data = plan.data;
  const takesAlong = data !== undefined && data.resources.length > 0;
  const needsName = takesAlong || data?.truncated === true || kind.group === 'platform.dev';
  const isBlocked = data === undefined || data.protected.length > 0 || plan.isFetching;
  return (
    <Dialog title={`Delete ${kind.kind} ${name}?`} onClose={onClose}>
      {plan.error === null ? null : <Failure error={plan.error} what="read what its deletion takes along" />}
      {plan.isPending ? <Loading /> : null}
      {data === undefined ? null : <PlanView plan={data} registry={registry} />}
      {needsName && !isBlocked ? (
        <div className="field">
          <label htmlFor={id}>
            Type <code>{name}</code> to confirm
          </label>
          <input
            id={id}
            className="input mono"
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
      ) : null}
      <ReasonField value={reason} onChange={setReason} />
      <WriteFailure error={deletion.error} />
      <div className="dialog-actions">
        {/* biome-ignore lint/a11y/noAutofocus: the safe choice has the focus */}
        <button type="button" className="button" onClick={onClose} autoFocus>
          Cancel
        </button>
        <button
          type="button"
          className="button danger"
          disabled={isBlocked || deletion.isPending || (needsName && typed !== name)}
          onClick={() => deletion.mutate()}
        >
          {takesAlong ? `Delete ${data.resources.length + 1} resources` : 'Delete'}
        </button>
      </div>
    </Dialog>
  );
}
