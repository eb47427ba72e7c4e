import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request, send } from '../../api/http.ts';
import { announce } from '../../ui/announcer.tsx';

/** A live session, as the API lists it. */
export interface Session {
  readonly id: string;
  readonly user: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly userAgent: string;
}

/** The id of the session that the page is open in. */
export function useOwnSession(): string | null | undefined {
  const { data } = useQuery({
    queryKey: ['own-session'],
    queryFn: async ({ signal }) => {
      const path = '/api/v1/auth/sessions?current=true';
      return (await request<{ items: readonly Session[] }>(path, { signal })).items[0]?.id ?? null;
    },
    retry: false,
  });
  return data;
}

/** Ends one session. */
export function useRevoke(onSettled: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ id }: Session) =>
      send('/api/v1/auth/revoke', { method: 'POST', body: { session_id: id } }),
    onSuccess: () => {
      announce('The session is ended');
      return refresh();
    },
    onSettled,
  });
}

/** Ends all sessions of a user. */
export function useSignOut(onSuccess: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (user: string) =>
      send(`/api/v1/auth/users/${encodeURIComponent(user)}/sign-out`, { method: 'POST' }),
    onSuccess: () => {
      announce('All sessions are ended');
      onSuccess();
      return refresh();
    },
  });
}

function useRefresh() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['pages'] });
}
