import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { request } from '../api/http.ts';
import { useCaller } from '../api/queries.ts';
import { onSession, sessionHasEnded } from '../api/session.ts';
import { exactTime } from '../logic/age.ts';
import type { Schemas } from '../typed/kind.ts';
import { LogInElsewhere } from '../ui/signed-out.tsx';
import { useNow } from '../ui/time.tsx';

/** The time of the page moves once a minute, so the warning comes two minutes before the end at the latest (WCAG 2.2.1). */
const warnMs = 3 * 60_000;

/** A page that somebody opens after a login tells the others, which may be in windows that nobody comes back to. */
const logins = new BroadcastChannel('platform-console-login');

/**
 * Says that the session ends soon or has ended, and how to go on without losing what was typed: a login in another tab, which gives this
 * tab its session too. A session that the platform does not list has no warning before.
 */
export function SessionEnd() {
  const now = useNow();
  const hasEnded = useSyncExternalStore(onSession, sessionHasEnded);
  const queries = useQueryClient();
  const hadEnded = useRef(false);
  useLeaveOfAnother();
  useEffect(() => {
    // Reads that were refused meanwhile are repeated.
    if (hadEnded.current && !hasEnded) void queries.invalidateQueries();
    hadEnded.current = hasEnded;
  }, [hasEnded, queries]);
  useEffect(() => {
    logins.onmessage = () => {
      for (const queryKey of [['current-session'], ['caller']]) void queries.invalidateQueries({ queryKey });
    };
    logins.postMessage('begun');
  }, [queries]);
  const { data: expiresAt } = useQuery({
    queryKey: ['current-session'],
    queryFn: async ({ signal }) => {
      const path = '/api/v1/auth/sessions?current=true';
      const { items } = await request<Schemas['SessionList']>(path, { signal });
      return items[0]?.expiresAt ?? null;
    },
    // The user may come back from a login in another tab.
    refetchOnWindowFocus: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const endsAt = expiresAt === undefined || expiresAt === null ? null : Date.parse(expiresAt);
  return (
    <div role="status">
      {!hasEnded && (endsAt === null || endsAt - now > warnMs) ? null : (
        <div className="banner session-end">
          <span>
            <strong>
              {hasEnded || endsAt === null
                ? 'Your session has ended.'
                : `Your session ${endsAt > now ? 'ends' : 'ended'} at ${exactTime(new Date(endsAt).toISOString())}.`}
            </strong>{' '}
            To continue here, log in again in another tab. The page keeps your input.
          </span>
          <LogInElsewhere />
        </div>
      )}
    </div>
  );
}

/** Loads the page again when somebody else has logged in in another tab: its session is that of every tab. The browser asks before it drops input. */
function useLeaveOfAnother(): void {
  const email = useCaller().data?.email;
  const first = useRef(email);
  useEffect(() => {
    first.current ??= email;
    if (email !== first.current) window.location.reload();
  }, [email]);
}
