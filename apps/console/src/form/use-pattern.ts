import { useEffect, useRef, useState } from 'react';
import { useSettled } from '../ui/use-settled.ts';
import type { PatternQuestion } from './pattern-worker.ts';

/** A pause of so long ends typing. */
const restMs = 200;
/** Slower patterns are left to the server. */
const deadlineMs = 500;

/** Whether a text that somebody has typed breaks a pattern. A stored one that nobody has changed is not asked about. */
export function useBrokenPattern(pattern: string | undefined, text: string): boolean {
  const first = useRef(text);
  const settled = useSettled(text, restMs);
  const [broken, setBroken] = useState<string | null>(null);
  useEffect(() => {
    if (pattern === undefined || settled === '' || settled === first.current) return;
    const worker = new Worker(new URL('./pattern-worker.ts', import.meta.url), {
      type: 'module',
      name: 'pattern',
    });
    const deadline = setTimeout(() => worker.terminate(), deadlineMs);
    worker.onmessage = ({ data }: MessageEvent<boolean>) => {
      clearTimeout(deadline);
      setBroken(data ? null : settled);
    };
    worker.postMessage({ pattern, text: settled } satisfies PatternQuestion);
    return () => {
      clearTimeout(deadline);
      worker.terminate();
    };
  }, [pattern, settled]);
  return broken !== null && broken === text;
}
