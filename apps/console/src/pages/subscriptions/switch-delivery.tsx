import { useMutation, useQueryClient } from '@tanstack/react-query';
import { write } from '../../api/change.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { announce } from '../../ui/announcer.tsx';
import { Icon } from '../../ui/icon.tsx';
import { WriteFailure } from '../../ui/write-failure.tsx';
import { deliveryOf, type Subscription } from './delivery.ts';

/** Resumes a delivery that is paused or suspended, or suspends one. */
export function SwitchDelivery({
  subscription,
  path,
  mayPatch,
}: {
  readonly subscription: Subscription;
  readonly path: string;
  /** Undefined while it is asked. */
  readonly mayPatch: boolean | undefined;
}) {
  const queries = useQueryClient();
  const { name } = subscription.metadata;
  const { canResume } = deliveryOf(subscription);
  const patch = useMutation({
    mutationFn: async () => {
      // Any change of the spec ends a pause, so an absent `suspend` becomes false, and false becomes absent.
      const { suspend } = subscription.spec;
      const next = canResume ? (suspend === false ? null : false) : true;
      await write(`${path}/uid:${subscription.metadata.uid}`, {
        method: 'PATCH',
        text: {
          type: 'application/merge-patch+json',
          content: JSON.stringify({ spec: { suspend: next } }),
        },
      });
    },
    onSuccess: () => announce(canResume ? `The delivery to ${name} goes on` : `${name} is suspended`),
    onSettled: () => queries.invalidateQueries({ queryKey: ['subscriptions'] }),
  });
  return (
    <div>
      <ActionButton
        className="button"
        isBusy={patch.isPending}
        disabled={mayPatch !== true}
        title={mayPatch === false ? 'This needs the verb patch' : undefined}
        onClick={() => patch.mutate()}
      >
        <Icon name={canResume ? 'play' : 'pause'} />
        {canResume ? 'Resume' : 'Suspend'}
        <span className="visually-hidden"> {name}</span>
      </ActionButton>
      <WriteFailure error={patch.error} />
    </div>
  );
}
