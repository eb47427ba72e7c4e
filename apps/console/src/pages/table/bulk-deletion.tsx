import { useMutation, useQuery } from '@tanstack/react-query';
import { reasonHeader, write } from '../../api/change.ts';
import { RequestError, request } from '../../api/http.ts';
import type { CollectionPlace, DeletionPlan } from '../../api/resource.ts';
import type { Row } from '../../live/row.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { announce } from '../../ui/announcer.tsx';
import { ConfirmDeletion } from '../../ui/confirm-deletion.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { countOf, PlanView } from '../resource/plan-view.tsx';
import { type BulkProps, pathOfRow } from './bulk.ts';
import { type CommonPlan, commonPlan } from './common-plan.ts';

/** Says what is deleted with the selected, asks for their number, and deletes them in one transaction. */
export function BulkDeletion({ kind, registry, place, rows, onDone, onClose }: BulkProps) {
  const plans = useCommonPlan(place, rows);
  const { data } = plans;
  const [only] = rows.length === 1 ? rows : [];
  const deletion = useDeletionOf(place, data?.roots ?? [], {
    onDeleted: () => {
      const deleted = only === undefined ? `${rows.length} resources are` : `${only.name} is`;
      announce(`${deleted} deleted or being deleted`);
      onDone();
    },
    onPlanChanged: () => void plans.refetch(),
  });
  const dependents = data?.plan.resources.length ?? 0;
  const isBlocked = data === undefined || data.plan.protected.length > 0 || plans.isFetching;
  return (
    <ConfirmDeletion
      title={
        only === undefined ? `Delete ${rows.length} ${kind.plural}?` : `Delete ${kind.kind} ${only.name}?`
      }
      confirm={only === undefined ? String(rows.length) : dependents === 0 ? null : only.name}
      action={
        only !== undefined && dependents === 0
          ? 'Delete'
          : `Delete ${data === undefined ? rows.length : countOf(data.plan, rows.length)} resources`
      }
      isBlocked={isBlocked}
      isPending={deletion.isPending}
      error={deletion.error}
      takesReason
      onDelete={(reason) => deletion.mutate(reason)}
      onClose={onClose}
    >
      {only === undefined ? (
        <p className="chips">
          {rows.map(({ uid, name }) => (
            <span key={uid} className="chip">
              {visibleText(name)}
            </span>
          ))}
        </p>
      ) : null}
      {plans.error === null ? null : <Failure error={plans.error} what="read what else is deleted" />}
      {plans.isPending ? <Loading /> : null}
      {data === undefined ? null : <PlanView plan={data.plan} registry={registry} />}
    </ConfirmDeletion>
  );
}

/** Plans that are read at a time. */
const atATime = 8;

/** Reads the deletion plan of each row, and makes one of them. */
function useCommonPlan(place: CollectionPlace, rows: readonly Row[]) {
  return useQuery({
    queryKey: ['deletion-plans', rows.map(({ uid }) => uid)],
    queryFn: async ({ signal }) => {
      const read: (readonly [Row, DeletionPlan])[] = [];
      for (let at = 0; at < rows.length; at += atATime) {
        const part = rows.slice(at, at + atATime).map(async (row) => {
          const plan = await request<DeletionPlan>(`${pathOfRow(place, row)}/deletion-plan`, { signal });
          return [row, plan] as const;
        });
        read.push(...(await Promise.all(part)));
      }
      return commonPlan(read);
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** Deletes the roots of a common plan, each as its own plan was shown. */
function useDeletionOf(
  place: CollectionPlace,
  roots: CommonPlan['roots'],
  { onDeleted, onPlanChanged }: { readonly onDeleted: () => void; readonly onPlanChanged: () => void },
) {
  const pathOfDeletion = ({ row, hash }: CommonPlan['roots'][number]) =>
    `${pathOfRow(place, row)}?${new URLSearchParams({ uid: row.uid, ...(hash === null ? {} : { plan: hash }) })}`;
  return useMutation({
    mutationFn: (reason: string) =>
      write('/api/v1/batch', {
        method: 'POST',
        headers: reasonHeader(reason),
        body: { operations: roots.map((root) => ({ method: 'DELETE', path: pathOfDeletion(root) })) },
      }),
    onSuccess: onDeleted,
    onError: (error) => {
      if (error instanceof RequestError && error.code === 'plan_changed') onPlanChanged();
    },
  });
}
