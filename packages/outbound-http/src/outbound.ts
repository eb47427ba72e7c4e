import { isIP, type Socket } from 'node:net';
import {
  type Outbound,
  OutboundError,
  OutboundRefusedError,
  type OutboundRequest,
  type OutboundResponse,
} from '@platform/kernel';
import { isPublicAddress } from './address.ts';
import { type Connector, createSystemConnector, type Resolver, systemResolver } from './connect.ts';
import { checkHeaders, exchange } from './exchange.ts';
import { checkTarget, prepareRules, type Target, type TargetRules } from './target.ts';

/** The settings and, for tests, the network. */
export interface OutboundOptions extends TargetRules {
  /** `outbound.timeout_ms`: the limit from the name look-up to the last byte. */
  readonly timeoutMs?: number;
  /** The maximum size of a response body. */
  readonly maxBytes?: number;
  readonly resolver?: Resolver;
  readonly connector?: Connector;
}

const defaultTimeoutMs = 5_000;
const defaultMaxBytes = 1_048_576;

/** Creates the guarded module for requests to URLs that a user or a tenant chose. */
export function createOutbound(options: OutboundOptions): Outbound {
  const rules = prepareRules(options);
  const settings = {
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    maxBytes: options.maxBytes ?? defaultMaxBytes,
    resolver: options.resolver ?? systemResolver,
    connector: options.connector ?? createSystemConnector(),
  };

  async function send(request: OutboundRequest): Promise<OutboundResponse> {
    const target = checkTarget(request.url, rules);
    checkHeaders(request.headers ?? {});
    return runWithTimeout(settings.timeoutMs, target.url.origin, async (signal) => {
      const addresses = await resolveAll(target, settings.resolver);
      const socket = await connectFirst(target, addresses, settings, signal);
      // `exchange` reports errors; without this listener, a late error would end the process.
      socket.on('error', () => {});
      try {
        if (signal.aborted) throw new Error('aborted');
        // Attack: a body that arrives byte by byte. Destroying the socket ends the stream.
        signal.addEventListener('abort', () => socket.destroy(), { once: true });
        return await exchange(socket, target, request, settings.maxBytes);
      } catch (error) {
        if (error instanceof OutboundError) throw error;
        const problem = isClosed(error)
          ? 'closed the connection before its response was complete'
          : 'returned an invalid response';
        throw new OutboundError('bad_response', `${target.url.origin} ${problem}`, error);
      } finally {
        socket.destroy();
      }
    });
  }

  return {
    request: send,
    async getJson(url) {
      const { status, body } = await send({ method: 'GET', url, headers: { Accept: 'application/json' } });
      const { origin } = new URL(url);
      if (status !== 200) throw new OutboundError('bad_status', `${origin} returned the status ${status}`);
      try {
        return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
      } catch (error) {
        throw new OutboundError('bad_json', `${origin} did not return JSON`, error);
      }
    },
  };
}

/** Runs `work` with a timeout. On timeout, rejects at once and aborts the signal. */
async function runWithTimeout<T>(
  ms: number,
  origin: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new OutboundError('timeout', `${origin} took longer than ${ms} ms`));
      controller.abort();
    }, ms);
  });
  try {
    return await Promise.race([work(controller.signal), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Resolves the addresses of the target and checks each of them.
 * Attack (DNS rebinding): a name resolves to a public address for the check and to a private one for the connection. So it is resolved
 * once, and only checked addresses are used. One bad address refuses the name.
 */
async function resolveAll(target: Target, resolver: Resolver): Promise<readonly string[]> {
  const { hostname, exempt, url } = target;
  let addresses: readonly string[];
  try {
    addresses = isIP(hostname) === 0 ? await resolver.resolve(hostname, exempt) : [hostname];
  } catch (error) {
    throw new OutboundError('unresolvable', `${url.origin} cannot be resolved`, error);
  }
  if (addresses.length === 0) throw new OutboundError('unresolvable', `${url.origin} has no address`);
  if (!exempt && !addresses.every(isPublicAddress)) {
    throw new OutboundRefusedError(
      'refused_address',
      `${url.origin} is not an address of the public internet`,
    );
  }
  return addresses;
}

/**
 * Tries the checked addresses in order until one accepts the connection. Each but the last has an equal part of the time, so that those
 * that are silent leave some to the next.
 */
async function connectFirst(
  target: Target,
  addresses: readonly string[],
  { connector, timeoutMs }: { readonly connector: Connector; readonly timeoutMs: number },
  signal: AbortSignal,
): Promise<Socket> {
  const { hostname, port, secure, url } = target;
  const last = addresses.length - 1;
  const partMs = Math.ceil(timeoutMs / addresses.length);
  let failure: unknown;
  for (const [index, address] of addresses.entries()) {
    if (signal.aborted) break;
    const ends = index === last ? signal : AbortSignal.any([signal, AbortSignal.timeout(partMs)]);
    try {
      return await connector.connect({ address, port, hostname, secure, signal: ends });
    } catch (error) {
      failure = error;
    }
  }
  if (!isTlsFailure(failure)) {
    throw new OutboundError('unreachable', `cannot connect to ${url.origin}`, failure);
  }
  throw new OutboundError('bad_tls', `the TLS connection to ${url.origin} failed: ${failure.code}`, failure);
}

/** The codes of Node.js for a connection that the other side has ended. */
function isClosed(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes((error as { readonly code?: string } | null)?.code ?? '');
}

/** Certificate errors have codes of OpenSSL or Node.js; network errors name a system call. */
function isTlsFailure(error: unknown): error is { readonly code: string } {
  const { code = '', syscall } = (error ?? {}) as { readonly code?: string; readonly syscall?: string };
  return syscall === undefined && /CERT|SIGNATURE|ISSUER|TLS|SSL|EPROTO/.test(code);
}
