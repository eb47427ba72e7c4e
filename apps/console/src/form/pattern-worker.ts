/** A question to the worker. */
export interface PatternQuestion {
  readonly pattern: string;
  readonly text: string;
}

// A pattern may take very long. The page ends the worker then.
addEventListener('message', ({ data: { pattern, text } }: MessageEvent<PatternQuestion>) => {
  try {
    postMessage(new RegExp(pattern, 'u').test(text));
  } catch {
    // Patterns that only the server understands are for the server.
    postMessage(true);
  }
});
