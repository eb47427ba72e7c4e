import type { Terminal } from '../terminal.ts';

/** Headers whose values authenticate somebody. */
const secret = /^(authorization|cookie|set-cookie|idempotency-key|proxy-authorization)$/i;

/**
 * A `fetch` that prints every request and answer on standard error, with the time until the headers of the answer. It prints only the
 * length of bodies, because they contain secrets such as bootstrap credentials.
 */
export function debugFetch(
  terminal: Pick<Terminal, 'err' | 'timers'>,
  inner: typeof fetch = fetch,
): typeof fetch {
  return async (input, init = {}) => {
    const { method = 'GET', body } = init;
    const url = input instanceof Request ? input.url : String(input);
    const headers = linesOf('>', new Headers(init.headers));
    terminal.err(
      `> ${method} ${url}\n${headers}${typeof body === 'string' ? `> (${Buffer.byteLength(body)} bytes)\n` : ''}`,
    );
    const began = terminal.timers.now();
    try {
      const response = await inner(input, init);
      terminal.err(
        `< ${response.status} in ${terminal.timers.now() - began} ms\n${linesOf('<', response.headers)}`,
      );
      return response;
    } catch (error) {
      const { message, cause } = error as Error & { readonly cause?: { readonly message?: string } };
      terminal.err(`< failed in ${terminal.timers.now() - began} ms: ${cause?.message ?? message}\n`);
      throw error;
    }
  };
}

function linesOf(mark: string, headers: Headers): string {
  return [...headers]
    .map(([name, value]) => `${mark} ${name}: ${secret.test(name) ? '***' : value}\n`)
    .join('');
}
