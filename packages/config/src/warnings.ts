import type { Config } from './config.ts';

/** The warnings for operators at start. They contain no secrets. */
export function warningsFor(config: Config): string[] {
  const { server, auth, database, outbound, limits, origin } = config;
  const generated = new Set(origin.generated);
  const warnings: string[] = [];
  const warn = (when: boolean, text: string) => when && warnings.push(text);

  warn(
    generated.has('server.rs256_private_key_pem') && !origin.development,
    'server.rs256_private_key_pem: not configured, so a key pair was generated for this start; ingress and workload tokens of earlier starts are no longer valid',
  );
  for (const key of ['server.jwt_signing_secret', 'encryption.keys']) {
    warn(
      generated.has(key) && database.url !== undefined,
      `${key}: not configured, so it is kept in ${database.data_dir}; replicas on other machines need the same value`,
    );
  }
  warn(
    server.cookie_secure && !server.public_url.startsWith('https:'),
    'server.cookie_secure: browsers send the session cookie to https addresses only, and server.public_url is http',
  );
  // Attack: a caller sends another X-Forwarded-For with each request, and so comes from another address each time.
  warn(
    server.trusted_proxies.some(isWide),
    'server.trusted_proxies: has a range of more than sixteen million addresses; whoever sends requests from it chooses the address that limits and audit records see',
  );
  warn(
    !hostOf(server.project_url_template).includes('{project}'),
    'server.project_url_template: has {project} outside the host name, so all projects share one origin and can see each other’s logins',
  );
  warn(
    server.max_connections <= limits.watches,
    'server.max_connections: is not above limits.watches, so watches can take every connection of a listener, and other clients are disconnected; raise it or lower limits.watches',
  );
  warn(
    limits.watches_per_caller >= limits.watches,
    'limits.watches_per_caller: is not below limits.watches, so one caller can open every watch of a process',
  );
  // Attack: somebody between the two hosts reads and changes every query, or poses as the database.
  warn(
    database.url !== undefined &&
      isRemote(database.url) &&
      !/[?&]sslmode=verify-full(?:&|$)/.test(database.url),
    'database.url: the database is on another host, and sslmode=verify-full is not set, so the connection is not encrypted or its certificate not checked',
  );
  const exempt = new Set(outbound.allow_insecure_origins);
  const issuers = [...auth.controllers.map(({ issuer }) => issuer), ...(auth.issuer ? [auth.issuer] : [])];
  for (const issuer of new Set(issuers)) {
    warn(
      issuer.startsWith('http:') && !exempt.has(new URL(issuer).origin),
      `${issuer}: is not https and not among outbound.allow_insecure_origins, so its keys will not be fetched`,
    );
  }
  return warnings;
}

function hostOf(template: string): string {
  return /^https?:\/\/([^/]*)/.exec(template)?.[1] ?? '';
}

/** Shorter than the networks that an installation has: `10.0.0.0/8` and `fd00::/8`. */
function isWide(cidr: string): boolean {
  const [, bits] = cidr.split('/');
  return bits !== undefined && Number(bits) < 8;
}

/** Whether a host of a database is another machine. A name without a dot is a container next to this one, as in compose. */
function isRemote(url: string): boolean {
  const [, hosts = ''] = /^postgres(?:ql)?:\/\/(?:[^@/]*@)?([^/?]*)/.exec(url) ?? [];
  const names = hosts.split(',').map((host) => host.replace(/:\d*$/, ''));
  return names.some((name) => /[.:]/.test(name) && !/^(?:127(?:\.\d+){3}|\[::1\])$/.test(name));
}
