import { isIP, type Socket } from 'node:net';
import {
  type Outbound,
  OutboundFailed,
  OutboundRefused,
  type OutboundRequest,
  type OutboundResponse,
} from '@platform/kernel';
import { isPublicAddress } from './address.ts';
import { type Connector, createSystemConnector, type Resolver, systemResolver } from './connect.ts';
import { checkHeaders, exchange } from './exchange.ts';
import { judgeTarget, prepareRules, type Target, type TargetRules } from './target.ts';

/** Settings and, for tests, the network. */
export interface OutboundOptions extends TargetRules {
  /** `outbound.timeout_ms`: for everything from the name look-up to the last byte. 5000 unless given. */
  readonly timeoutMs?: number;
  /** Most bytes of an answer's body. 1 MiB unless given. */
  readonly maxBytes?: number;
  readonly resolver?: Resolver;
  readonly connector?: Connector;
}

const DEFAULT_TIMEOUT_MS = 5_000;
const DEFAULT_MAX_BYTES = 1_048_576;

/** The one guarded module for requests to URLs that a user or a tenant chose. */
export function createOutbound(options: OutboundOptions): Outbound {
  const rules = prepareRules(options);
  const settings = {
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxBytes: options.maxBytes ?? DEFAULT_MAX_BYTES,
    resolver: options.resolver ?? systemResolver,
    connector: options.connector ?? createSystemConnector(),
  };

  async function request(wanted: OutboundRequest): Promise<OutboundResponse> {
    const target = judgeTarget(wanted.url, rules);
    checkHeaders(wanted.headers ?? {});
    return withinTime(settings.timeoutMs, target.url.origin, async (signal) => {
      const addresses = await resolveAll(target, settings.resolver);
      const socket = await connectFirst(target, addresses, settings.connector, signal);
      // A failure is told by the exchange; without a listener a late one would end the process.
      socket.on('error', () => {});
      try {
        if (signal.aborted) throw new Error('aborted');
        // Destroying the socket is what ends a body that drips: the reader then sees the end of the stream.
        signal.addEventListener('abort', () => socket.destroy(), { once: true });
        return await exchange(socket, target, wanted, settings.maxBytes);
      } catch (error) {
        if (error instanceof OutboundFailed) throw error;
        throw new OutboundFailed('bad_response', `${target.url.origin} did not answer properly`, error);
      } finally {
        socket.destroy();
      }
    });
  }

  return {
    request,
    async getJson(url) {
      const { status, body } = await request({ method: 'GET', url, headers: { Accept: 'application/json' } });
      const { origin } = new URL(url);
      if (status !== 200) throw new OutboundFailed('bad_status', `${origin} answered with status ${status}`);
      try {
        return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
      } catch (error) {
        throw new OutboundFailed('bad_json', `${origin} did not answer JSON`, error);
      }
    },
  };
}

/** Runs `work` for at most `ms` milliseconds; then its signal is aborted and nobody waits for it any longer. */
async function withinTime<T>(
  ms: number,
  origin: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new OutboundFailed('timeout', `${origin} took longer than ${ms} ms`));
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
 * The addresses of the target, each of them judged.
 * Attack (rebinding): a name that resolves to a public address when it is judged and to a private one when it is
 * dialled. It is resolved once, and only what was judged is dialled. One bad address refuses the whole name.
 */
async function resolveAll(target: Target, resolver: Resolver): Promise<readonly string[]> {
  const { hostname, exempt, url } = target;
  let addresses: readonly string[];
  try {
    addresses = isIP(hostname) === 0 ? await resolver.resolve(hostname, exempt) : [hostname];
  } catch (error) {
    throw new OutboundFailed('unresolvable', `${url.origin} cannot be resolved`, error);
  }
  if (addresses.length === 0) throw new OutboundFailed('unresolvable', `${url.origin} has no address`);
  if (!exempt && !addresses.every(isPublicAddress)) {
    throw new OutboundRefused('refused_address', `${url.origin} is not an address of the public internet`);
  }
  return addresses;
}

/** Dials the judged addresses in turn until one answers. */
async function connectFirst(
  target: Target,
  addresses: readonly string[],
  connector: Connector,
  signal: AbortSignal,
): Promise<Socket> {
  const { hostname, port, secure, url } = target;
  let failure: unknown;
  for (const address of addresses) {
    if (signal.aborted) break;
    try {
      return await connector.connect({ address, port, hostname, secure, signal });
    } catch (error) {
      failure = error;
    }
  }
  const reason = isTlsFailure(failure) ? 'bad_tls' : 'unreachable';
  throw new OutboundFailed(reason, `${url.origin} cannot be connected to`, failure);
}

/** Certificates are refused with OpenSSL's and Node's own codes; the network's failures name a system call. */
function isTlsFailure(error: unknown): boolean {
  const { code = '', syscall } = (error ?? {}) as { readonly code?: string; readonly syscall?: string };
  return syscall === undefined && /CERT|SIGNATURE|ISSUER|TLS|SSL|EPROTO/.test(code);
}
