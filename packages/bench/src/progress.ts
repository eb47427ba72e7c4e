/** Shows what is being done: one line that is written over on a terminal, a line each elsewhere. */
export function progress(): { say: (text: string) => void; end: () => void } {
  const { stderr } = process;
  const start = performance.now();
  const clock = () => `${Math.round((performance.now() - start) / 1_000)} s`.padStart(6);
  return {
    say: (text) => stderr.write(stderr.isTTY ? `\r\x1b[K${clock()}  ${text}` : `${clock()}  ${text}\n`),
    end: () => stderr.write(stderr.isTTY ? '\r\x1b[K' : ''),
  };
}
