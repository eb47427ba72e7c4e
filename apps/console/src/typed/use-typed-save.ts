import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { send } from '../api/http.ts';
import { isStale } from '../editor/save.ts';
import { announce } from '../ui/announcer.tsx';
import { nounOf, type TypedKind } from './kind.ts';
import { refreshTenants } from './use-item.ts';
import type { TypedDraft, useTypedDraft } from './use-typed-draft.ts';

/** Why a form stays open after a save: others were faster, or something was typed while it was on its way. */
export type Remark = 'moved' | 'typed';

/** Saves the version of a typed resource that is shown, and only that one. `done` is called when nothing typed is left to save. */
export function useTypedSave<T>(
  { kind, path, name, project }: { kind: TypedKind<T>; path: string; name: string; project: string },
  { draft, follow, saved }: ReturnType<typeof useTypedDraft<T>>,
  done: () => void,
) {
  const [remark, setRemark] = useState<Remark | null>(null);
  const latest = useRef(draft);
  latest.current = draft;
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: async (sent: TypedDraft): Promise<Remark | null> => {
      const body = (await kind.prepare?.(sent.mine, project)) ?? sent.mine;
      const put = (etag: string) =>
        send(path, {
          method: 'PUT',
          body: kind.atRevision?.(body, revisionOf(etag)) ?? body,
          headers: { 'If-Match': etag },
        });
      let answer: Response;
      try {
        answer = await put(sent.etag);
      } catch (refused) {
        if (!isStale(refused)) throw refused;
        const now = await follow(sent);
        // Something that the form does not show was written, such as a rotated secret: nobody need look at that.
        if (!now.isSame) return 'moved';
        answer = await put(now.etag);
      }
      announce(`The ${nounOf(kind)} ${name} is saved`);
      refreshTenants(queries);
      if (latest.current?.mine === sent.mine) return null;
      await saved(answer);
      return 'typed';
    },
    onSuccess: (outcome) => {
      setRemark(outcome);
      if (outcome === null) done();
    },
  });
  return { save, remark };
}

/** The revision of an `ETag`, which is `"<uid>.<revision>"`. */
function revisionOf(etag: string): number {
  return Number(/(\d+)"$/.exec(etag)?.[1]);
}
