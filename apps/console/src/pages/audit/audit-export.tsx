import { useMutation } from '@tanstack/react-query';
import { send } from '../../api/http.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { announce } from '../../ui/announcer.tsx';
import { Icon } from '../../ui/icon.tsx';
import { WriteFailure } from '../../ui/write-failure.tsx';

/** Every record of the filter as a file with one a line. The file is in memory, so larger exports belong to the command line. */
export function AuditExport({ query }: { readonly query: string }) {
  const save = useMutation({
    mutationFn: async () => {
      const response = await send(`/api/v1/audit?${query}`, { accept: 'application/x-ndjson' });
      const address = URL.createObjectURL(await response.blob());
      const link = document.createElement('a');
      link.href = address;
      link.download = 'audit.ndjson';
      link.click();
      URL.revokeObjectURL(address);
    },
    onSuccess: () => announce('The records are exported'),
  });
  return (
    <>
      <ActionButton className="button" isBusy={save.isPending} onClick={() => save.mutate()}>
        <Icon name="down" />
        {save.isPending ? 'Exporting…' : 'Export as NDJSON'}
      </ActionButton>
      <WriteFailure error={save.error} />
    </>
  );
}
