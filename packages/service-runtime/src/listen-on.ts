import { once } from 'node:events';
import type { Server } from 'node:net';

/** An address that the process cannot listen on. The message is one line that names the key of the configuration. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** Listens on the address that `key` of the configuration names. @throws ListenError */
export async function listenOn(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
  key: string,
): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const why = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${code})`;
    throw new ListenError(`${key}: ${host}:${port} ${why}`, { cause: error });
  }
}

/** The fields of the log line of a process that cannot start: without a stack when its operator can correct the cause. */
export function startFailure(error: unknown): { readonly reason: string } | { readonly error: unknown } {
  return error instanceof ListenError ? { reason: error.message } : { error };
}
