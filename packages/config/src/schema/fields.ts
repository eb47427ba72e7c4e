import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { z } from 'zod';

// The kinds of value that keys hold. Their messages never repeat the value: it may be a secret.

const port = /^(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/;

/** Splits `127.0.0.1:8080`, `localhost:8080` or `[::1]:8080`; undefined when it is none of these. */
function parseListen(text: string): { host: string; port: number } | undefined {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9.-]+)):(\d+)$/.exec(text);
  if (match === null || !port.test(match[3] ?? '')) return undefined;
  if (match[1] !== undefined && isIP(match[1]) !== 6) return undefined;
  return { host: match[1] ?? match[2] ?? '', port: Number(match[3]) };
}

/** `<address>:<port>`, handed on in its two parts. */
export const listen = z.string().transform((text, context) => {
  const parsed = parseListen(text);
  if (parsed !== undefined) return parsed;
  context.addIssue({ code: 'custom', message: 'must be <address>:<port>, such as 127.0.0.1:8080' });
  return z.NEVER;
});

function webUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const web = url?.protocol === 'https:' || url?.protocol === 'http:';
  return web && /^https?:\/\/[^/\\]/.test(text) ? url : undefined;
}

function isPlainBase(text: string): boolean {
  const url = webUrl(text);
  return url !== undefined && url.username === '' && url.password === '' && !/[?#\s\\]/.test(text);
}

/** An http or https address that others are appended to: no query, no fragment, no user. */
export const webAddress = z.string().refine(isPlainBase, {
  error: 'must be an http:// or https:// URL without user, query or fragment',
});

/** {@link webAddress} without a trailing slash, because it is compared and appended to literally. */
export const baseUrl = webAddress.refine((text) => !text.endsWith('/'), {
  error: 'must not end in a slash',
});

/** `https://host[:port]` and nothing more; kept in the form that `URL.origin` has. */
export const origin = z.string().transform((text, context) => {
  const url = isPlainBase(text) ? webUrl(text) : undefined;
  if (url !== undefined && url.pathname === '/') return url.origin;
  context.addIssue({ code: 'custom', message: 'must be an origin, such as http://127.0.0.1:9000' });
  return z.NEVER;
});

/** The address of a project, with `{project}` where its name goes. */
export const projectUrlTemplate = z
  .string()
  .refine((text) => text.includes('{project}'), { error: 'must contain {project}' })
  .refine((text) => isPlainBase(text.replaceAll('{project}', 'p')), {
    error: 'must be an http:// or https:// URL once {project} is filled in',
  })
  .refine((text) => webUrl(text.replaceAll('{project}', 'p'))?.hostname.endsWith('.') !== true, {
    error: 'must not have a host that ends with a dot',
  });

/** Where an external PostgreSQL listens: a URL, which may have several hosts with their ports, separated by commas. */
export const postgresUrl = z
  .string()
  .refine(isPostgresUrl, { error: 'must be a postgres:// URL', abort: true })
  // The driver decodes it, and would fail with each connection.
  .refine(isDecodable, {
    error: 'cannot be decoded: write %25 for a % in the user, password or database',
    abort: true,
  })
  .refine((url) => !/[?&]target_session_attrs=(?!(?:any|primary|read-write)(?:&|$))/.test(url), {
    error: 'target_session_attrs must be primary or read-write: the platform writes',
  })
  .refine(
    (url) => !/[?&]sslmode=(?!(?:disable|allow|prefer|require|verify-ca|verify-full)(?:&|$))/.test(url),
    {
      error: 'sslmode must be disable, prefer, require, verify-ca or verify-full',
    },
  )
  // Other modes would not verify the certificate, which the file is for.
  .refine((url) => !/[?&]sslrootcert=/.test(url) || /[?&]sslmode=verify-(?:ca|full)(?:&|$)/.test(url), {
    error: 'sslrootcert needs sslmode=verify-full',
  });

function isDecodable(text: string): boolean {
  return succeeds(() => decodeURIComponent(text));
}

function isPostgresUrl(text: string): boolean {
  const match = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(text);
  if (match === null) return false;
  const [, before = '', hosts = '', after = ''] = match;
  return hosts.split(',').every((host) => URL.canParse(`${before}${host}${after}`));
}

/** How many bytes a base64 (or base64url) text stands for; undefined when it is neither. */
function decodedLength(text: string): number | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  return Buffer.from(text, 'base64').length;
}

/** A base64 text of at least `least` bytes and at most `most`. */
export function base64Bytes(least: number, most = Number.POSITIVE_INFINITY): z.ZodType<string, string> {
  const size = least === most ? `exactly ${least} bytes` : `at least ${least} bytes`;
  return z
    .string()
    .trim()
    .refine((text) => decodedLength(text) !== undefined, { error: 'must be base64' })
    .refine((text) => inRange(decodedLength(text), least, most), { error: `must be base64 of ${size}` });
}

function inRange(length: number | undefined, least: number, most: number): boolean {
  return length === undefined || (length >= least && length <= most);
}

/** The address of a DNS server, as `Resolver.setServers` takes it: it ends the process for some that it does not. */
export const dnsServer = z.string().refine(isDnsServer, {
  error: 'must be an IP address, [IPv6] in brackets, perhaps with :port',
});

function isDnsServer(text: string): boolean {
  const match = /^(?:\[([^\]%]*)\]|([\d.]+))(?::(\d+))?$/.exec(text);
  if (match === null || (match[3] !== undefined && !port.test(match[3]))) return false;
  return match[1] === undefined ? isIP(match[2] ?? '') === 4 : isIP(match[1]) === 6;
}

/** `10.0.0.0/8`, `fd00::/8`, or one address. */
export const cidr = z.string().refine(isCidr, { error: 'must be a CIDR, such as 10.0.0.0/8' });

function isCidr(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^(?:0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
}

/** An RSA private key that RS256 may use; RFC 7518 section 3.3 asks for 2048 bits or more. */
export const rsaPrivateKey = z.string().refine((pem) => isRsa(() => createPrivateKey(pem)), {
  error: 'must be the PEM of an unencrypted RSA private key of at least 2048 bits',
});

/** An RSA public key; a private key in its place is refused, because this key is published. */
export const rsaPublicKey = z
  .string()
  .refine((pem) => !pem.includes('PRIVATE KEY') && isRsa(() => createPublicKey(pem)), {
    error: 'must be the PEM of an RSA public key of at least 2048 bits',
  });

/** A private key of any kind that TLS may use. */
export const privateKey = z.string().refine((pem) => succeeds(() => createPrivateKey(pem)), {
  error: 'must be the PEM of an unencrypted private key',
});

/** One or several certificates, as TLS sends or trusts them. */
export const certificates = z
  .string()
  .refine(
    (pem) => succeeds(() => new X509Certificate(pem)) && succeeds(() => createSecureContext({ cert: pem })),
    {
      error: 'must be certificates in PEM',
    },
  );

function succeeds(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

function isRsa(read: () => ReturnType<typeof createPublicKey>): boolean {
  try {
    const key = read();
    return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048;
  } catch {
    return false;
  }
}

/** A text that says something. */
export const text = z.string().min(1, { error: 'must not be empty' });

/** Something that people are told apart by. */
export const email = z.string().regex(/^[^\s@]+@[^\s@]+$/, { error: 'must be an email address' });

/** A whole number from `least` to `most`. */
export function whole(least: number, most = 2_147_483_647): z.ZodInt {
  const error = most === 2_147_483_647 ? `must be a whole number, at least ${least}` : undefined;
  return z
    .int({ error: 'must be a whole number' })
    .min(least, { error: error ?? `must be from ${least} to ${most}` })
    .max(most, { error: `must be from ${least} to ${most}` });
}
