import { browserDeps } from './browser-deps.ts';
import type { ToWorker } from './messages.ts';
import { TableFeed } from './table-feed.ts';

/** At most so often the page is told: more would not be seen. */
const frameMs = 100;

const feed = new TableFeed({ ...browserDeps, now: () => Date.now(), changed: () => tell() });

let due: ReturnType<typeof setTimeout> | null = null;
let lastTold = -frameMs;

function tell(): void {
  if (due !== null) return;
  const wait = Math.max(0, lastTold + frameMs - performance.now());
  due = setTimeout(() => {
    due = null;
    lastTold = performance.now();
    postMessage(feed.state);
  }, wait);
}

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  // Actions of the user are answered without delay.
  if (data.type === 'window' || data.type === 'sort' || data.type === 'filter') lastTold = -frameMs;
  feed.receive(data);
});
