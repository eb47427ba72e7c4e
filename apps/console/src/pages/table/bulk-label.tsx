import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { reasonHeader, write } from '../../api/change.ts';
import { announce } from '../../ui/announcer.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { ReasonField } from '../../ui/reason-field.tsx';
import { WriteFailure } from '../../ui/write-failure.tsx';
import { type BulkProps, pathOfRow } from './bulk.ts';

/** Sets or takes away one label of every selected resource, all or nothing. */
export function BulkLabel({ place, rows, onDone, onClose }: BulkProps) {
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [removes, setRemoves] = useState(false);
  const [reason, setReason] = useState('');
  const change = useMutation({
    mutationFn: () =>
      write('/api/v1/batch', {
        method: 'POST',
        headers: reasonHeader(reason),
        body: {
          operations: rows.map((row) => ({
            method: 'PATCH',
            path: pathOfRow(place, row),
            headers: { 'Content-Type': 'application/merge-patch+json' },
            body: { metadata: { labels: { [name.trim()]: removes ? null : value.trim() } } },
          })),
        },
      }),
    onSuccess: () => {
      announce(`${rows.length} resources are changed`);
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <Dialog title={`Label ${rows.length} resources`} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <label className="field">
          <span className="label">Label</span>
          <input
            className="input mono"
            required
            autoFocus
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <label className="field">
          <span className="label">Value</span>
          <input
            className="input mono"
            disabled={removes}
            value={value}
            onChange={({ target }) => setValue(target.value)}
          />
        </label>
        <label>
          <input type="checkbox" checked={removes} onChange={({ target }) => setRemoves(target.checked)} />{' '}
          Take the label away
        </label>
        <ReasonField value={reason} onChange={setReason} />
        <WriteFailure error={change.error} />
        <DialogActions type="submit" onCancel={onClose} isBusy={change.isPending}>
          Change {rows.length} resources
        </DialogActions>
      </form>
    </Dialog>
  );
}
