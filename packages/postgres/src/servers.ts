import { connect, type Socket } from 'node:net';
import { type TlsSettings, tlsSettings } from './tls.ts';

/** One server that the URL names. A host that begins with `/` is the directory of a Unix socket. */
export interface Server {
  readonly host: string;
  readonly port: number;
}

/** A parsed database URL. */
export interface Address {
  /** The URL for the driver, without the parameters that this package handles. */
  readonly url: string;
  /** The name of the database, decoded; empty where the URL has none. */
  readonly database: string;
  /** In the order of the URL, at least one. */
  readonly servers: readonly Server[];
  /** `read-write` also passes over a primary that has `default_transaction_read_only`, as libpq does. */
  readonly wanted: 'primary' | 'read-write';
  /** Whether it leads to a pooler in transaction mode. */
  readonly pooled: boolean;
  /** Null for connections without TLS. */
  readonly tls: TlsSettings | null;
}

const ownParameters =
  /([?&])(?:pooler|target_session_attrs|ssl|sslmode|sslrootcert|sslnegotiation)=[^&]*(?=&|$)/g;

/** Parses a URL with one or several hosts; `URL` supports only one. */
export function parseAddress(url: string): Address {
  const { PGHOST = 'localhost', PGPORT = '5432' } = process.env;
  const [authority = ''] = url.slice(url.indexOf('://') + 3).split(/[/?]/);
  const [, database = ''] = /^[^/?#]*\/([^?#]*)/.exec(url.slice(url.indexOf('://') + 3)) ?? [];
  const hosts = authority.slice(authority.lastIndexOf('@') + 1).split(',');
  return {
    url: url.replace(ownParameters, '$1').replace(/&{2,}/g, '&').replace('?&', '?').replace(/[?&]$/, ''),
    database: decodeURIComponent(database),
    servers: hosts.map((each) => {
      const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(each) ?? [];
      return { host: decodeURIComponent(bracketed ?? (plain || PGHOST)), port: Number(port ?? PGPORT) };
    }),
    wanted: /[?&]target_session_attrs=read-write(?:&|$)/.test(url) ? 'read-write' : 'primary',
    pooled: /[?&]pooler=transaction(?:&|$)/.test(url),
    tls: tlsSettings(new URLSearchParams(/\?(.*)$/s.exec(url)?.[1] ?? '')),
  };
}

/** Connects to a server, or rejects within the limit. */
export function dial({ host, port }: Server, limitMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = host.startsWith('/')
      ? connect({ path: `${host}/.s.PGSQL.${port}` })
      : connect({ host, port });
    const fail = (error: Error) => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(connectTimeout()), limitMs);
    socket.once('error', fail);
    socket.once('connect', () => {
      clearTimeout(timer);
      // The driver adds its listeners a moment later. An error without a listener would end the process.
      socket.off('error', fail).on('error', () => {});
      resolve(Object.assign(socket, { host, port }));
    });
  });
}

/** The driver's error for a connect timeout. */
export function connectTimeout(): Error {
  return Object.assign(new Error('the database server did not answer in time'), { code: 'CONNECT_TIMEOUT' });
}
