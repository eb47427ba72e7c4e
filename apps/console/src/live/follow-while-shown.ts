import { reportSignedOut } from '../api/http.ts';
import { onSession, sessionHasEnded } from '../api/session.ts';
import { browserDeps } from './browser-deps.ts';
import { type FollowHandlers, follow } from './follow.ts';

/**
 * A tab that is hidden for longer gives its streams back, and goes on from their cursors later: over HTTP/1.1 a browser has six
 * connections to an origin for all of its tabs.
 */
const hiddenMs = 5_000;

/** Calls `change` with whether somebody looks at the tab, now and whenever that changes. Answers how to stop. */
export function onShown(change: (isShown: boolean) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onVisibility = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(() => change(false), hiddenMs);
    else change(true);
  };
  document.addEventListener('visibilitychange', onVisibility);
  change(!document.hidden);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisibility);
  };
}

/**
 * Follows the changes after a cursor like {@link follow}, while somebody looks at the tab. After the end of the session it goes on when
 * somebody has logged in again.
 */
export function followWhileShown(
  path: string,
  cursor: string,
  handlers: FollowHandlers,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    let at = cursor;
    let isShown = false;
    let stream: AbortController | null = null;
    const moved = (next: string) => {
      at = next;
      handlers.moved(next);
    };
    const run = async (own: AbortController) => {
      const either = AbortSignal.any([signal, own.signal]);
      let isSignedOut = false;
      const refused: FollowHandlers['refused'] = (status, problem) => {
        isSignedOut = status === 401;
        handlers.refused(status, problem);
      };
      await follow(path, at, { ...handlers, moved, refused }, browserDeps, either);
      if (own.signal.aborted) return;
      if (!isSignedOut) return end();
      own.abort();
      reportSignedOut();
    };
    const start = () => {
      if (!isShown || sessionHasEnded() || stream?.signal.aborted === false) return;
      stream = new AbortController();
      void run(stream);
    };
    const stopSession = onSession(start);
    const stopShown = onShown((shown) => {
      isShown = shown;
      if (shown) start();
      else stream?.abort();
    });
    const end = () => {
      stopSession();
      stopShown();
      resolve();
    };
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
