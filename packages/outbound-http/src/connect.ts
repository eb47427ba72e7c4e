import { Resolver as DnsResolver, lookup } from 'node:dns/promises';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

/** Turns a host name into addresses. */
export interface Resolver {
  /**
   * Every address of the name, in order of preference; rejects when there is none. `local` is true for exempt
   * origins only: their names may come from where the machine's own names come from, e.g. a hosts file.
   */
  resolve(hostname: string, local: boolean): Promise<readonly string[]>;
}

/** One connection to make: to this address and no other. */
export interface ConnectionPlan {
  /** The judged address. */
  readonly address: string;
  readonly port: number;
  /** The name the certificate must be for, when secure. */
  readonly hostname: string;
  readonly secure: boolean;
  /** Aborted when the time is over: an attempt that still runs must then be given up. */
  readonly signal: AbortSignal;
}

/** Opens connections. Tests hand in one that never leaves the machine. */
export interface Connector {
  /** A connected socket, the TLS handshake done and the certificate checked against `hostname` when secure. */
  connect(plan: ConnectionPlan): Promise<Socket>;
}

const LOCALHOST = /^(?:.+\.)?localhost$/i;

/** The resolver of the machine. */
export const systemResolver: Resolver = {
  async resolve(hostname, local) {
    if (local) {
      const found = await lookup(hostname, { all: true, verbatim: true });
      return found.map(({ address }) => address);
    }
    // RFC 6761 section 6.3: never asked of a name server.
    if (LOCALHOST.test(hostname)) return ['127.0.0.1', '::1'];
    // Attack: names whose servers never answer. `lookup` would hold one of four threads that everything shares.
    const dns = new DnsResolver({ timeout: 2_000, tries: 2 });
    const answers = await Promise.allSettled([dns.resolve4(hostname), dns.resolve6(hostname)]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length === 0) throw new Error('the name has no address');
    return found;
  },
};

/** The network of the machine. `ca` replaces the built-in certificate authorities, PEM. */
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
