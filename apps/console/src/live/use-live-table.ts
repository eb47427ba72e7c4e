import { useCallback, useEffect, useRef, useState } from 'react';
import { probe, reportSignedOut } from '../api/http.ts';
import { onSession, sessionHasEnded } from '../api/session.ts';
import type { Column } from '../logic/columns.ts';
import { onShown } from './follow-while-shown.ts';
import { emptyState, isSignedOut, type TableState, type ToWorker } from './messages.ts';

/** The rows of a collection, kept up to date by a worker of its own. `columns` must keep its identity while it does not change. */
export function useLiveTable(
  path: string | null,
  columns: readonly Column[],
): { readonly state: TableState; readonly tell: (message: ToWorker) => void } {
  const [state, setState] = useState<TableState>(emptyState);
  const worker = useRef<Worker | null>(null);

  useEffect(() => {
    if (path === null) return;
    const own = new Worker(new URL('./table-worker.ts', import.meta.url), { type: 'module', name: 'table' });
    const tell = (message: ToWorker) => own.postMessage(message);
    let wasSignedOut = false;
    own.onmessage = ({ data }: MessageEvent<TableState>) => {
      setState(data);
      if (isSignedOut(data) && !wasSignedOut) reportSignedOut();
      wasSignedOut = isSignedOut(data);
      // The worker cannot tell the page whether only its stream is cut, or everything.
      if (data.connection.at === 'cut') probe();
    };
    const stopShown = onShown((visible) => tell({ type: 'visible', visible }));
    const stopSession = onSession(() => {
      if (!sessionHasEnded()) tell({ type: 'resume' });
    });
    tell({ type: 'open', path, columns });
    worker.current = own;
    return () => {
      stopShown();
      stopSession();
      own.terminate();
      worker.current = null;
      setState(emptyState);
    };
  }, [path, columns]);

  const tell = useCallback((message: ToWorker) => worker.current?.postMessage(message), []);
  return { state, tell };
}
