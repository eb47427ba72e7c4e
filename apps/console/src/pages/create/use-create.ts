import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { parse } from 'yaml';
import type { KindRegistry } from '../../api/kinds.ts';
import type { Resource } from '../../api/resource.ts';
import { resourceLink } from '../../app/links.ts';
import { sendYaml } from '../../editor/save.ts';
import { useLeaveWarning } from '../../editor/use-leave-warning.ts';
import { announce } from '../../ui/announcer.tsx';

/** The subject of a dry run: the collection and the text. */
interface Sent {
  readonly path: string;
  readonly text: string;
}

/**
 * The dry run and the creation of a resource. Typing goes on while they are on their way: an answer belongs to the text that it was sent
 * with. `base` is the text without unsaved changes.
 */
export function useCreate({ path, text }: Sent, base: string, registry: KindRegistry) {
  const navigate = useNavigate();
  const latest = useRef(text);
  latest.current = text;
  const [checked, setChecked] = useState<(Sent & { readonly result: string }) | null>(null);
  const [reason, setReason] = useState('');
  const leave = useLeaveWarning(text !== base);
  const review = useMutation({
    mutationFn: (sent: Sent) => sendYaml('POST', `${sent.path}?dryRun=true`, sent.text),
    onSuccess: (result, sent) => setChecked({ ...sent, result }),
    onError: () => setChecked(null),
  });
  const create = useMutation({
    mutationFn: (sent: Sent) => sendYaml('POST', sent.path, sent.text, reason),
    onSuccess: (yaml, sent) => {
      const resource = parse(yaml) as Resource;
      announce(`${resource.metadata.name} is created`);
      const link = resourceLink(registry, resource);
      if (latest.current !== sent.text || link === null) return;
      leave();
      void navigate(link);
    },
  });
  const isCurrent = checked !== null && checked.path === path && checked.text === text;
  return { checked: isCurrent ? checked : null, review, create, reason, setReason };
}
