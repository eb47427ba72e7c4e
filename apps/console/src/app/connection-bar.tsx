import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { isUnreachable, probe } from '../api/http.ts';
import { lostSince, onReach } from '../api/reach.ts';
import { exactTime } from '../logic/age.ts';
import { Icon } from '../ui/icon.tsx';

const retryMs = 5_000;

/** Says that the platform does not answer, and since when. Loaded data stays; failed reads are repeated afterwards. */
export function ConnectionBar() {
  const since = useSyncExternalStore(onReach, lostSince);
  const queries = useQueryClient();
  const wasLost = useRef(false);
  useEffect(() => {
    if (since !== null) {
      wasLost.current = true;
      const timer = setInterval(probe, retryMs);
      return () => clearInterval(timer);
    }
    if (wasLost.current) {
      wasLost.current = false;
      void queries.refetchQueries({ predicate: ({ state }) => isUnreachable(state.error) });
    }
    return undefined;
  }, [since, queries]);
  useEffect(() => {
    window.addEventListener('offline', probe);
    window.addEventListener('online', probe);
    return () => {
      window.removeEventListener('offline', probe);
      window.removeEventListener('online', probe);
    };
  }, []);
  return (
    <div role="status">
      {since === null ? null : (
        <div className="banner connection-bar">
          <span>
            <strong>Not connected since {exactTime(new Date(since).toISOString())}.</strong> The page shows
            what it read before, and tries again every {retryMs / 1_000} seconds.
          </span>
          <button type="button" className="button" onClick={probe}>
            <Icon name="refresh" />
            Try now
          </button>
        </div>
      )}
    </div>
  );
}
