import { OutboundRefusedError } from '@platform/kernel';

/** The rules for URLs of requests. */
export interface TargetRules {
  /** `outbound.allow_insecure_origins`: exact origins, exempt from the HTTPS and the address rules. */
  readonly allowInsecureOrigins: readonly string[];
  /** `server.public_url`: refused, unless its origin is exempt. */
  readonly platformUrl: string;
}

/** The parsed rules. */
export interface PreparedRules {
  readonly exemptOrigins: ReadonlySet<string>;
  readonly platformOrigin: string;
}

/** Parses the rules. Throws TypeError for an invalid URL. */
export function prepareRules(rules: TargetRules): PreparedRules {
  return {
    exemptOrigins: new Set(rules.allowInsecureOrigins.map((text) => new URL(text).origin)),
    platformOrigin: new URL(rules.platformUrl).origin,
  };
}

/** A checked URL and its parts for the connection. */
export interface Target {
  readonly url: URL;
  /** The name or address to connect to, without brackets and without a final dot. */
  readonly hostname: string;
  readonly port: number;
  readonly secure: boolean;
  /** Whether the origin is exempt, so that every address is allowed. */
  readonly exempt: boolean;
}

/** Checks a URL before a name is resolved. Throws OutboundRefusedError. */
export function checkTarget(text: string, rules: PreparedRules): Target {
  if (!URL.canParse(text)) throw new OutboundRefusedError('bad_url', 'the URL is not valid');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new OutboundRefusedError('not_https', `the scheme ${url.protocol} is not allowed`);
  }
  // Attack: `https://trusted.example@attacker.example/`, and credentials that end up in logs.
  if (url.username !== '' || url.password !== '') {
    throw new OutboundRefusedError('credentials_in_url', `the URL for ${url.origin} contains credentials`);
  }
  // Attack: `platform.example.` is another text for the host `platform.example`.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/\.+$/, '');
  const exempt = rules.exemptOrigins.has(url.origin);
  if (!exempt && url.protocol !== 'https:') {
    throw new OutboundRefusedError('not_https', `${url.origin} is not an https address`);
  }
  // Attack: the service calls itself from inside the network, past its proxies.
  if (!exempt && url.origin === rules.platformOrigin) {
    throw new OutboundRefusedError('platform_itself', 'the platform may not call itself');
  }
  const secure = url.protocol === 'https:';
  return {
    url,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    secure,
    exempt,
  };
}
