import { useMutation, useQueryClient } from '@tanstack/react-query';
import { annotate, reasonHeader, write } from '../../api/change.ts';
import type { DeletionCause, Resource } from '../../api/resource.ts';
import { protectionAnnotation } from '../../live/live-table.ts';
import { announce } from '../../ui/announcer.tsx';
import { ConfirmDeletion } from '../../ui/confirm-deletion.tsx';

/** Says what is given up, and ends a cause that keeps a deletion. */
export function EndCauseDialog({
  title,
  cause: { kind, resource, action },
  onClose,
}: {
  readonly title: string;
  readonly cause: DeletionCause;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: async (reason: string): Promise<unknown> => {
      if (action === undefined) return undefined;
      // The whole resource of the action is not sent back: its numbers would lose digits here.
      if (kind === 'protected') return await annotate(action.path, protectionAnnotation, null, reason);
      const { method, path, body } = action;
      return await write<Resource>(path, { method, body, headers: reasonHeader(reason) });
    },
    onSuccess: () => {
      announce('Done');
      onClose();
      return queries.invalidateQueries();
    },
  });
  return (
    <ConfirmDeletion
      title={`${title.replace('…', '')} of ${resource.kind} ${resource.name}?`}
      action={kind === 'protected' ? 'Take the protection away' : 'Remove the finalizer'}
      isBlocked={action === undefined}
      isPending={end.isPending}
      error={end.error}
      takesReason
      onDelete={(reason) => end.mutate(reason)}
      onClose={onClose}
    >
      <p>
        {kind === 'protected'
          ? 'The deletion goes on, and deletes what was protected.'
          : 'The deletion goes on. Things that the owner of the finalizer would have cleaned up, for example outside of the platform, may be left behind.'}
      </p>
      <p>
        <code>
          {action?.method} {action?.path}
        </code>
      </p>
    </ConfirmDeletion>
  );
}
