/** Splits a body into its lines and parses each as JSON. A line that is cut off at the end is dropped: the stream is resumed after the line before. */
export async function* jsonLines(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
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
