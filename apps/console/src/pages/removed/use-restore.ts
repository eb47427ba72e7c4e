import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reasonHeader, write } from '../../api/change.ts';
import { type CollectionPlace, itemPath, type Resource } from '../../api/resource.ts';
import { useSettled } from '../../ui/use-settled.ts';

/** A resource that comes back, by the uid of the one that was removed. */
export interface RestoredItem {
  readonly from: string;
  readonly resource: Resource;
}

interface Restored {
  readonly restored: readonly RestoredItem[];
}

/** A pause of so long ends typing: only then the server is asked. */
const restMs = 300;

/** The dry run of a restore, which says what would come back, and the restore itself. */
export function useRestore(
  place: CollectionPlace,
  { metadata: { name, uid } }: Resource,
  onRestored: (items: readonly RestoredItem[]) => void,
) {
  const [dependents, setDependents] = useState(true);
  const [newName, setNewName] = useState(name);
  const [reason, setReason] = useState('');
  const path = `${itemPath({ ...place, names: [`uid:${uid}`] })}/restore`;
  const isTyping = useSettled(newName, restMs) !== newName;
  const body = { dependents, ...(newName === name ? {} : { name: newName }) };
  const trial = useQuery({
    queryKey: ['restore', path, body],
    queryFn: ({ signal }) =>
      write<Restored>(path, { method: 'POST', body: { ...body, dryRun: true }, signal }),
    enabled: !isTyping,
    gcTime: 0,
    retry: false,
  });
  const restore = useMutation({
    mutationFn: () => write<Restored>(path, { method: 'POST', body, headers: reasonHeader(reason) }),
    onSuccess: ({ restored }) => onRestored(restored),
  });
  return {
    input: { dependents, newName, reason },
    setDependents,
    setNewName,
    setReason,
    items: trial.data?.restored ?? [],
    /** The answer to what is typed is not there yet. */
    isAsking: isTyping || trial.isFetching,
    trial,
    restore,
  };
}
