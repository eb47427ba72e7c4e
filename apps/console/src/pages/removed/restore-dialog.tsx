import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { reasonHeader, write } from '../../api/change.ts';
import type { KindRegistry } from '../../api/kinds.ts';
import { type CollectionPlace, itemPath, type Resource } from '../../api/resource.ts';
import { resourceLink } from '../../app/links.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { announce } from '../../ui/announcer.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ReasonField } from '../../ui/reason-field.tsx';
import { Loading } from '../../ui/states.tsx';
import { WriteFailure } from '../../ui/write-failure.tsx';

interface Restored {
  readonly restored: readonly { readonly from: string; readonly resource: Resource }[];
}

/** Says what would come back, by a dry run, then restores it. */
export function RestoreDialog({
  place,
  registry,
  resource,
  onClose,
}: {
  readonly place: CollectionPlace;
  readonly registry: KindRegistry;
  readonly resource: Resource;
  readonly onClose: () => void;
}) {
  const { name, uid } = resource.metadata;
  const navigate = useNavigate();
  const [dependents, setDependents] = useState(true);
  const [newName, setNewName] = useState(name);
  const [reason, setReason] = useState('');
  const path = `${itemPath({ ...place, names: [`uid:${uid}`] })}/restore`;
  const body = { dependents, ...(newName === name ? {} : { name: newName }) };
  const trial = useQuery({
    queryKey: ['restore', path, body],
    queryFn: ({ signal }) =>
      write<Restored>(path, { method: 'POST', body: { ...body, dryRun: true }, signal }),
    gcTime: 0,
    retry: false,
  });
  const restore = useMutation({
    mutationFn: () => write<Restored>(path, { method: 'POST', body, headers: reasonHeader(reason) }),
    onSuccess: ({ restored }) => {
      announce(`${restored.length} resources are restored`);
      onClose();
      const link = restored[0] === undefined ? null : resourceLink(registry, restored[0].resource);
      if (link !== null) void navigate(link);
    },
  });
  const items = trial.data?.restored ?? [];
  return (
    <Dialog title={`Restore ${resource.kind} ${name}?`} onClose={onClose}>
      <p>They come back with their last state, under new uids, without finalizers and status.</p>
      <label>
        <input
          type="checkbox"
          checked={dependents}
          onChange={(event) => setDependents(event.target.checked)}
        />{' '}
        With everything that its deletion removed
      </label>
      <div className="field">
        <label htmlFor="restore-name">Name</label>
        <input
          id="restore-name"
          className="input mono"
          value={newName}
          onChange={(event) => setNewName(event.target.value)}
        />
      </div>
      {trial.isPending ? <Loading rows={2} /> : null}
      <WriteFailure error={trial.error} isDryRun />
      {items.length === 0 ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keys
        <section className="plan-list" aria-label="Resources to restore" tabIndex={0}>
          <ul className="rows">
            {items.map(({ from, resource: one }) => (
              <li key={from}>
                <span className="muted">{one.kind}</span>
                <span className="grow">{[...one.metadata.ancestors, one.metadata.name].join(' / ')}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <ReasonField value={reason} onChange={setReason} />
      <WriteFailure error={restore.error} />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <ActionButton
          className="button primary"
          isBusy={restore.isPending || trial.isFetching}
          disabled={items.length === 0}
          onClick={() => restore.mutate()}
        >
          {items.length > 1 ? `Restore ${items.length} resources` : 'Restore'}
        </ActionButton>
      </div>
    </Dialog>
  );
}
