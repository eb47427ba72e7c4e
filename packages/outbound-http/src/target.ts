import { OutboundRefused } from '@platform/kernel';

/** Which URLs may be requested. */
export interface TargetRules {
  /** `outbound.allow_insecure_origins`: exact origins, exempt from the HTTPS and the address rules. */
  readonly allowInsecureOrigins: readonly string[];
  /** `server.public_url`: never requested, unless its origin is exempt. */
  readonly platformUrl: string;
}

/** The rules, ready to be asked. */
export interface PreparedRules {
  readonly exemptOrigins: ReadonlySet<string>;
  readonly platformOrigin: string;
}

/** Reads the rules once. Throws TypeError for a text that is no URL. */
export function prepareRules(rules: TargetRules): PreparedRules {
  return {
    exemptOrigins: new Set(rules.allowInsecureOrigins.map((text) => new URL(text).origin)),
    platformOrigin: new URL(rules.platformUrl).origin,
  };
}

/** A URL that passed, taken apart for the connection. */
export interface Target {
  readonly url: URL;
  /** The name or address to connect to, without brackets and without a final dot. */
  readonly hostname: string;
  readonly port: number;
  readonly secure: boolean;
  /** An exempt origin: any address will do. */
  readonly exempt: boolean;
}

/** Judges a URL before anything is resolved or sent. Throws OutboundRefused. */
export function judgeTarget(text: string, rules: PreparedRules): Target {
  if (!URL.canParse(text)) throw new OutboundRefused('bad_url', 'the URL is not valid');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new OutboundRefused('not_https', `the scheme ${url.protocol} is not allowed`);
  }
  // Attack: `https://trusted.example@attacker.example/`, and credentials that end up in logs.
  if (url.username !== '' || url.password !== '') {
    throw new OutboundRefused('credentials_in_url', `the URL for ${url.origin} holds credentials`);
  }
  // Attack: `platform.example.` is the same host as `platform.example`, but not the same text.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/\.+$/, '');
  const exempt = rules.exemptOrigins.has(url.origin);
  if (!exempt && url.protocol !== 'https:') {
    throw new OutboundRefused('not_https', `${url.origin} is not an https address`);
  }
  // Attack: the service calls itself, from inside whatever stands in front of it.
  if (!exempt && url.origin === rules.platformOrigin) {
    throw new OutboundRefused('platform_itself', 'the platform does not call itself');
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
