import { useQuery } from '@tanstack/react-query';
import { request } from '../api/http.ts';
import { exactTime } from '../logic/age.ts';
import type { Schemas } from '../typed/kind.ts';
import { useNow } from '../ui/time.tsx';

/** The time of the page moves once a minute, so the warning comes two minutes before the end at the latest (WCAG 2.2.1). */
const warnMs = 3 * 60_000;

/**
 * Says before the session ends that it will, and how to go on without losing what was typed: a login in another tab, which gives this tab its
 * session too. A session that the platform does not list has no warning.
 */
export function SessionEnd() {
  const now = useNow();
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
      {endsAt === null || endsAt - now > warnMs ? null : (
        <div className="banner session-end">
          <span>
            <strong>
              Your session {endsAt > now ? 'ends' : 'ended'} at {exactTime(new Date(endsAt).toISOString())}.
            </strong>{' '}
            To continue here, log in again in another tab. The page keeps your input.
          </span>
          <a className="button" href={loginPath} target="_blank" rel="noreferrer">
            Log in in a new tab
          </a>
        </div>
      )}
    </div>
  );
}

const loginPath = `/api/v1/auth/login?redirect=${encodeURIComponent('/console')}`;
