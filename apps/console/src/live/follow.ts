import { type Problem, retryAfterMs } from '../api/http.ts';
import type { WatchChange, WatchEvent } from '../api/resource.ts';

/** The callbacks of a running follower. */
export interface FollowHandlers {
  readonly change: (event: WatchChange) => void;
  /** Where the stream is now: the place to go on from later. */
  readonly moved: (cursor: string) => void;
  /** The stream runs, or runs again. */
  readonly live: () => void;
  /** The stream is cut; it is tried again after so many milliseconds. */
  readonly cut: (retryMs: number) => void;
  /** The cursor is too old: everything has to be listed again. The follower ends. */
  readonly expired: () => void;
  /** It cannot go on: 401, 403, 404 and faults of the request. The follower ends. */
  readonly refused: (status: number, problem: Problem | null) => void;
}

/** The network, the clock and chance, as a follower uses them. */
export interface FollowDeps {
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
}

/** A stream that is silent for so long counts as cut: the server sends something at least every 15 seconds. */
const silenceMs = 35_000;
const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

/** Follows the changes after a cursor until `signal` aborts, across cuts, restarts and ends of streams. */
export async function follow(
  path: string,
  cursor: string,
  handlers: FollowHandlers,
  { fetch, sleep, random }: FollowDeps,
  signal: AbortSignal,
): Promise<void> {
  let at = cursor;
  /** Connections in a row in which the platform sent nothing. */
  let failures = 0;
  /** The wait that the last answer has asked for. */
  let askedMs = 0;
  while (!signal.aborted) {
    askedMs = 0;
    const outcome = await readOnce();
    if (signal.aborted || outcome === 'over') return;
    if (outcome === 'failed') failures += 1;
    const base = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.max(0, failures - 1));
    // Also after an orderly end: a proxy may end each response after its first bytes.
    const retryMs = askedMs + Math.round(base * (0.5 + random() / 2));
    if (failures > 0) handlers.cut(retryMs);
    await sleep(retryMs, signal).catch(() => undefined);
  }

  /** One connection: `ended` after it had run, `failed` before, `over` when following makes no sense any more. */
  async function readOnce(): Promise<'ended' | 'failed' | 'over'> {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), silenceMs);
    let ran = false;
    try {
      const mark = path.includes('?') ? '&' : '?';
      const response = await fetch(`${path}${mark}watch=true&cursor=${encodeURIComponent(at)}`, {
        headers: { Accept: 'application/x-ndjson' },
        credentials: 'same-origin',
        signal: AbortSignal.any([signal, silence.signal]),
      });
      if (!response.ok) return await refusal(response);
      if (response.body === null) return 'failed';
      handlers.live();
      for await (const line of jsonLines(response.body)) {
        ran = true;
        failures = 0;
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), silenceMs);
        const event = line as WatchEvent;
        if (event.type === 'ERROR') return end(event.problem.status, event.problem);
        if (event.type !== 'BOOKMARK') handlers.change(event);
        at = event.cursor ?? at;
        handlers.moved(at);
      }
      return ran ? 'ended' : 'failed';
    } catch {
      return 'failed';
    } finally {
      clearTimeout(timer);
    }
  }

  async function refusal(response: Response): Promise<'failed' | 'over'> {
    askedMs = retryAfterMs(response);
    const problem = (await response.json().catch(() => null)) as Problem | null;
    return end(response.status, problem);
  }

  function end(status: number, problem: Problem | null): 'failed' | 'over' {
    if (status === 410) handlers.expired();
    else if (status >= 500 || status === 429) return 'failed';
    else handlers.refused(status, problem);
    return 'over';
  }
}

/** Splits a body into its lines and parses each as JSON. A line that is cut off at the end is dropped: the stream is resumed after the line before. */
async function* jsonLines(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) if (line.trim() !== '') yield JSON.parse(line);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
