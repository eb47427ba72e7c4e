import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import type { KindRegistry } from '../../api/kinds.ts';
import type { CollectionPlace, Resource } from '../../api/resource.ts';
import { resourceLink } from '../../app/links.ts';
import { announce } from '../../ui/announcer.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { ReasonField } from '../../ui/reason-field.tsx';
import { Loading } from '../../ui/states.tsx';
import { WriteFailure } from '../../ui/write-failure.tsx';
import { type RestoredItem, useRestore } from './use-restore.ts';

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
  const navigate = useNavigate();
  const router = useRouter();
  const queries = useQueryClient();
  const { input, items, isAsking, trial, restore, ...set } = useRestore(place, resource, (restored) => {
    announce(
      restored.length === 1 ? 'The resource is restored' : `${restored.length} resources are restored`,
    );
    onClose();
    const link = restored[0] === undefined ? null : resourceLink(registry, restored[0].resource);
    if (link === null) return;
    // The page of the name has it already, with the text that somebody typed there.
    if (router.buildLocation(link).pathname === router.state.location.pathname) {
      void queries.invalidateQueries({ queryKey: ['resource'] });
    } else void navigate(link);
  });
  return (
    <Dialog title={`Restore ${resource.kind} ${resource.metadata.name}?`} onClose={onClose}>
      <p>They come back with their last state, under new uids, without finalizers and status.</p>
      <label>
        <input
          type="checkbox"
          checked={input.dependents}
          onChange={({ target }) => set.setDependents(target.checked)}
        />{' '}
        With everything that its deletion removed
      </label>
      <div className="field">
        <label htmlFor="restore-name">Name</label>
        <input
          id="restore-name"
          className="input mono"
          value={input.newName}
          onChange={({ target }) => set.setNewName(target.value)}
        />
      </div>
      {isAsking ? <Loading rows={2} /> : null}
      <WriteFailure error={isAsking ? null : trial.error} isDryRun />
      {items.length === 0 ? null : <RestoredList items={items} />}
      <ReasonField value={input.reason} onChange={set.setReason} />
      <WriteFailure error={restore.error} />
      <DialogActions
        onCancel={onClose}
        isBusy={restore.isPending || isAsking}
        disabled={items.length === 0 && !isAsking}
        onClick={() => restore.mutate()}
      >
        {items.length > 1 ? `Restore ${items.length} resources` : 'Restore'}
      </DialogActions>
    </Dialog>
  );
}

function RestoredList({ items }: { readonly items: readonly RestoredItem[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keys
    <section className="plan-list" aria-label="Resources to restore" tabIndex={0}>
      <ul className="rows">
        {items.map(({ from, resource: { kind, metadata } }) => (
          <li key={from}>
            <span className="muted">{kind}</span>
            <span className="grow">{[...metadata.ancestors, metadata.name].join(' / ')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
