import { readFile } from 'node:fs/promises';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';

/** How connections are encrypted: the parameters of a database URL, as libpq means them. */
export interface TlsSettings {
  /** `prefer` goes on without TLS when the server has none. */
  readonly mode: 'prefer' | 'require';
  /** Whether the certificate is verified, with the host of the URL. */
  readonly verify: boolean;
  /** File with the authorities that are trusted, in PEM; undefined for those of Node.js. */
  readonly authorityFile: string | undefined;
  /** Whether the handshake begins without the request for it (`sslnegotiation=direct`, PostgreSQL 17). */
  readonly direct: boolean;
}

/** Reads the parameters of a URL; null for a connection without TLS, which is the default. `verify-ca` verifies the host, too. */
export function tlsSettings(parameters: URLSearchParams): TlsSettings | null {
  const mode = parameters.get('sslmode') ?? parameters.get('ssl') ?? 'disable';
  if (mode === 'disable' || mode === 'false') return null;
  const authority = parameters.get('sslrootcert');
  return {
    mode: mode === 'prefer' ? 'prefer' : 'require',
    verify: !['prefer', 'allow', 'require'].includes(mode),
    authorityFile: authority === null || authority === 'system' ? undefined : authority,
    direct: parameters.get('sslnegotiation') === 'direct',
  };
}

/** The request for TLS: its length and its code (PostgreSQL documentation, "Message Formats"). */
const tlsRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * Encrypts a connection that was just made; nothing was sent on it. The driver could do this itself, but then keeps its encrypted socket to
 * itself: when the connection below it is closed, its errors end the process.
 * Rejects with the reason; the caller then destroys the socket.
 */
export async function encrypt(
  socket: Socket,
  host: string,
  { mode, verify, authorityFile, direct }: TlsSettings,
): Promise<Socket> {
  const ca = authorityFile === undefined ? undefined : await readFile(authorityFile, 'utf8');
  if (!direct && !(await hasTls(socket))) {
    if (mode === 'prefer') return socket;
    throw new Error('the database server has no TLS, which sslmode asks for');
  }
  return await new Promise<TLSSocket>((resolve, reject) => {
    const encrypted = connectTls(
      {
        socket,
        // The name that the certificate is verified for.
        host,
        ...(isIP(host) === 0 && !host.startsWith('/') ? { servername: host } : {}),
        ...(direct ? { ALPNProtocols: ['postgresql'] } : {}),
        ...(ca === undefined ? {} : { ca }),
        rejectUnauthorized: verify,
      },
      () => resolve(encrypted),
    );
    // It stays: an error without a listener would end the process.
    encrypted.on('error', reject);
    encrypted.once('close', () =>
      reject(new Error('the database server closed the connection during the TLS handshake')),
    );
  });
}

/** Asks the server for TLS. */
async function hasTls(socket: Socket): Promise<boolean> {
  const answer = await new Promise<Buffer>((resolve, reject) => {
    const lost = () =>
      reject(new Error('the database server closed the connection before the TLS handshake'));
    socket.once('close', lost);
    socket.once('data', (bytes) => {
      socket.off('close', lost);
      resolve(bytes);
    });
    socket.write(tlsRequest);
  });
  // Attack (CVE-2021-23222): bytes behind the answer were not sent by the server that the handshake verifies.
  if (answer.length > 1) throw new Error('the database server sent data before the TLS handshake');
  return answer[0] === 0x53;
}
