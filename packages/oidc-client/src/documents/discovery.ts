import { type Clock, type Outbound, OutboundError } from '@platform/kernel';
import { type CacheLimits, type Freshness, StaleWhileErrorCache } from './stale-while-error-cache.ts';

/** The members of a discovery document that are URLs. */
export const urlMembers = [
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
  'revocation_endpoint',
] as const;
const lists = [
  'token_endpoint_auth_methods_supported',
  'id_token_signing_alg_values_supported',
  'subject_types_supported',
  'scopes_supported',
  'claims_supported',
  'acr_values_supported',
  'ui_locales_supported',
  'prompt_values_supported',
] as const;

/** The known, well-formed members of a discovery document. Each reader decides which URLs it accepts. */
export type ProviderMetadata = { readonly issuer: string } & {
  readonly [name in (typeof urlMembers)[number]]?: string;
} & { readonly [name in (typeof lists)[number]]?: readonly string[] } & {
  readonly authorization_response_iss_parameter_supported?: true;
};

/** The discovery document of a provider. */
export interface DiscoveryDocument {
  readonly metadata: ProviderMetadata;
  /** How far the clock of the provider is ahead, by its `Date` header; null without that header. */
  readonly clockSkewMs: number | null;
}

/** The discovery document of an issuer names another issuer. */
export class IssuerMismatchError extends OutboundError {
  constructor() {
    super('bad_response', 'the discovery document names another issuer');
  }
}

/** A cache of the discovery documents of all providers (OpenID Connect Discovery 1.0, section 4), shared by all readers. */
export class DiscoveryCache {
  readonly #documents: StaleWhileErrorCache<DiscoveryDocument>;
  readonly #outbound: Outbound;
  readonly #clock: Clock;

  constructor(outbound: Outbound, clock: Clock, limits: CacheLimits) {
    this.#outbound = outbound;
    this.#clock = clock;
    this.#documents = new StaleWhileErrorCache(clock, limits);
  }

  get(issuer: string, freshness: Freshness): Promise<DiscoveryDocument> {
    return this.#documents.get(issuer, () => this.#fetch(issuer), freshness);
  }

  /** Fetches the current document; rejects if that fails. */
  fetch(issuer: string): Promise<DiscoveryDocument> {
    return this.#documents.fetch(issuer, () => this.#fetch(issuer));
  }

  /** Makes the next reader fetch again, for example because a URL of the document does not work. */
  expire(issuer: string): void {
    this.#documents.expire(issuer);
  }

  async #fetch(issuer: string): Promise<DiscoveryDocument> {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const sentAt = this.#clock.now();
    const headers = { Accept: 'application/json' };
    const response = await this.#outbound.request({ method: 'GET', url, headers });
    if (response.status !== 200) {
      throw new OutboundError('bad_status', `discovery returned the status ${response.status}`);
    }
    const document = parseObject(response.body.toString('utf8'));
    if (document === null) throw new OutboundError('bad_json', 'discovery did not return a JSON object');
    // Attack (mix-up): the document of one issuer served under the address of another (section 4.3).
    if (document['issuer'] !== issuer) throw new IssuerMismatchError();
    return {
      metadata: metadataOf(document, issuer),
      clockSkewMs: clockSkew(response.headers['date'], sentAt),
    };
  }
}

/** Whether the issuer can have a discovery document: a URL without query and fragment (section 2). */
export function isDiscoverable(issuer: string): boolean {
  return URL.canParse(issuer) && !/[?#\s]/.test(issuer);
}

/** Keeps only the known members, so that a large document does not stay in memory. */
function metadataOf(document: Record<string, unknown>, issuer: string): ProviderMetadata {
  const members = [
    ...urlMembers.filter((name) => isText(document[name], 2048)),
    ...lists.filter((name) => isTextList(document[name])),
  ].map((name) => [name, document[name]]);
  const promisesIssuer = document['authorization_response_iss_parameter_supported'] === true;
  return {
    issuer,
    ...Object.fromEntries(members),
    ...(promisesIssuer ? { authorization_response_iss_parameter_supported: true } : {}),
  };
}

/** Longer than any list of a real provider; see {@link CacheLimits}. */
const maxListSize = 8_192;

function isTextList(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || value.length > 200 || !value.every((item) => isText(item, 512))) return false;
  return value.join().length <= maxListSize;
}

function isText(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value.length <= maxLength;
}

function clockSkew(date: string | undefined, sentAt: number): number | null {
  const providerTime = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(providerTime) ? null : providerTime - sentAt;
}

/** The JSON object in a text, or null. A byte order mark is ignored, as by `fetch` (RFC 8259 section 8.1). */
export function parseObject(
  text: string,
  parse: (text: string) => unknown = JSON.parse,
): Record<string, unknown> | null {
  try {
    const value = parse(text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
