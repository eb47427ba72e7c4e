import { Resolver as DnsResolver, lookup } from 'node:dns/promises';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

/** Resolves host names. */
export interface Resolver {
  /**
   * Must return every address of the name, in order of preference; rejects if there is none. `local` is true only for exempt
   * origins, whose names may also be resolved by the machine, e.g. from a hosts file.
   */
  resolve(hostname: string, local: boolean): Promise<readonly string[]>;
}

/** A request for a connection to exactly this address. */
export interface ConnectionRequest {
  /** The checked address. */
  readonly address: string;
  readonly port: number;
  /** The name that the certificate must match, if secure. */
  readonly hostname: string;
  readonly secure: boolean;
  /** Aborted on timeout; the connection attempt must then stop. */
  readonly signal: AbortSignal;
}

/** Opens connections. Tests pass one that never leaves the machine. */
export interface Connector {
  /** Must return a connected socket; if secure, after the TLS handshake and the check of the certificate for `hostname`. */
  connect(plan: ConnectionRequest): Promise<Socket>;
}

const localhostPattern = /^(?:.+\.)?localhost$/i;

/** The resolver of the machine. */
export const systemResolver: Resolver = {
  async resolve(hostname, local) {
    if (local) {
      const found = await lookup(hostname, { all: true, verbatim: true });
      return found.map(({ address }) => address);
    }
    // Must not be sent to a name server (RFC 6761, section 6.3).
    if (localhostPattern.test(hostname)) return ['127.0.0.1', '::1'];
    // Attack: a name whose servers never respond. `lookup` would block one of the four threads of the shared pool.
    const dns = new DnsResolver({ timeout: 2_000, tries: 2 });
    const answers = await Promise.allSettled([dns.resolve4(hostname), dns.resolve6(hostname)]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length === 0) throw new Error('the name has no address');
    return found;
  },
};

/** Connects over the network of the machine. `ca` (PEM) replaces the built-in certificate authorities. */
export function createSystemConnector(ca?: string): Connector {
  return {
    connect: (plan) =>
      new Promise((resolve, reject) => {
        const { address: host, port, hostname, signal } = plan;
        const socket = plan.secure
          ? connectSecurely({
              host,
              port,
              ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
              ...(ca === undefined ? {} : { ca }),
              ALPNProtocols: ['http/1.1'],
              minVersion: 'TLSv1.2',
              rejectUnauthorized: true,
            })
          : connectPlain({ host, port });
        const abort = () => socket.destroy(new Error('aborted'));
        if (signal.aborted) abort();
        else signal.addEventListener('abort', abort, { once: true });
        socket.once('error', reject);
        socket.once(plan.secure ? 'secureConnect' : 'connect', () => {
          signal.removeEventListener('abort', abort);
          socket.removeListener('error', reject);
          resolve(socket);
        });
      }),
  };
}
