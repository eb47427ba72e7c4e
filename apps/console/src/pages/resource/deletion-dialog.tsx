import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { reasonHeader, write } from '../../api/change.ts';
import { RequestError, request } from '../../api/http.ts';
import { isBuiltIn } from '../../api/kinds.ts';
import { useCaller } from '../../api/queries.ts';
import { type DeletionPlan, itemPath } from '../../api/resource.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { announce } from '../../ui/announcer.tsx';
import { ConfirmDeletion } from '../../ui/confirm-deletion.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { countOf, PlanView } from './plan-view.tsx';
import { partPath, type ResourceView } from './view.ts';

/** Shows what would be deleted, and deletes exactly that. */
export function DeletionDialog({
  view,
  onClose,
}: {
  readonly view: ResourceView;
  readonly onClose: () => void;
}) {
  const { kind, place, resource, registry } = view;
  const { name, uid, ancestors, finalizers } = resource.metadata;
  const navigate = useNavigate();
  const { data: caller } = useCaller();
  const isOwnAccess =
    isBuiltIn(kind) &&
    kind.kind === 'RoleBinding' &&
    caller?.bindings?.some((binding) => binding.name === name) === true;
  const path = partPath(view, 'deletion-plan');
  const plan = useQuery({
    queryKey: ['deletion-plan', path],
    queryFn: ({ signal }) => request<DeletionPlan>(path, { signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const deletion = useMutation({
    mutationFn: (reason: string) => {
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
      if (error instanceof RequestError && error.code === 'plan_changed') void plan.refetch();
    },
  });
  const data = plan.data;
  const takesAlong = data !== undefined && data.resources.length > 0;
  const needsName = takesAlong || data?.truncated === true || isBuiltIn(kind);
  const isBlocked = data === undefined || data.protected.length > 0 || plan.isFetching;
  return (
    <ConfirmDeletion
      title={`Delete ${kind.kind} ${name}?`}
      confirm={needsName ? name : null}
      action={takesAlong ? `Delete ${countOf(data, 1)} resources` : 'Delete'}
      isBlocked={isBlocked}
      isPending={deletion.isPending}
      error={deletion.error}
      takesReason
      onDelete={(reason) => deletion.mutate(reason)}
      onClose={onClose}
    >
      {isOwnAccess ? <p className="banner">This binding names you: you lose what it grants.</p> : null}
      {plan.error === null ? null : <Failure error={plan.error} what="read what else is deleted" />}
      {plan.isPending ? <Loading /> : null}
      {data === undefined ? null : <PlanView plan={data} registry={registry} />}
      {finalizers.length === 0 ? null : (
        <p className="banner">
          <span>
            The deletion finishes when {finalizers.length === 1 ? 'its finalizer is' : 'its finalizers are'}{' '}
            removed: <code>{visibleText(finalizers.join(', '))}</code>
          </span>
        </p>
      )}
    </ConfirmDeletion>
  );
}
