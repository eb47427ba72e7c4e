/** Whether the platform answers that nobody is logged in. Every request of the page reports here. */
let ended = false;
const listeners = new Set<() => void>();

export function sessionHasEnded(): boolean {
  return ended;
}

export function reportSession(status: number): void {
  // A failure of the platform says nothing about the session.
  if (status >= 500) return;
  const next = status === 401;
  if (next === ended) return;
  ended = next;
  for (const listener of listeners) listener();
}

/** Resolves once somebody is logged in, or when the signal aborts. */
export function untilLogin(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      if (ended && !signal.aborted) return;
      stop();
      resolve();
    };
    const stop = onSession(done);
    signal.addEventListener('abort', done);
    done();
  });
}

export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
