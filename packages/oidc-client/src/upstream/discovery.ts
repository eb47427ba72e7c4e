import type { Clock, Outbound } from '@platform/kernel';
import {
  type Discovery,
  isUpstreamUrl,
  type SpecPolicy,
  UpstreamFault,
  type UpstreamMetadata,
} from '@platform/oauth-proxy';
import { asUpstream } from './fault.ts';

/** What fetching a discovery document needs. */
export interface DiscoveryDeps {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly policy: SpecPolicy;
}

const URLS = [
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
  'revocation_endpoint',
] as const;
const LISTS = [
  'token_endpoint_auth_methods_supported',
  'id_token_signing_alg_values_supported',
  'subject_types_supported',
  'scopes_supported',
  'claims_supported',
  'acr_values_supported',
  'ui_locales_supported',
  'prompt_values_supported',
] as const;

/** Fetches the discovery document of an issuer (OpenID Connect Discovery 1.0, section 4) and keeps the parts that are known and well-formed. */
export async function fetchDiscovery(deps: DiscoveryDeps, issuerUrl: string): Promise<Discovery> {
  const url = `${issuerUrl.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const sentAt = deps.clock.now();
  const answer = await asUpstream(() =>
    deps.outbound.request({ method: 'GET', url, headers: { Accept: 'application/json' } }),
  );
  if (answer.status !== 200)
    throw new UpstreamFault('bad_status', `discovery answered with status ${answer.status}`);
  const document = parseObject(answer.body.toString('utf8'));
  if (document === null) throw new UpstreamFault('unreadable', 'discovery did not answer a JSON object');
  // Attack (mix-up): the document of one issuer served under the address of another (section 4.3).
  if (document['issuer'] !== issuerUrl) {
    throw new UpstreamFault('issuer_mismatch', 'the discovery document names another issuer');
  }
  return {
    metadata: metadataOf(document, issuerUrl, deps.policy),
    clockSkewMs: clockSkew(answer.headers['date'], sentAt),
  };
}

function metadataOf(document: Record<string, unknown>, issuer: string, policy: SpecPolicy): UpstreamMetadata {
  const urls = URLS.flatMap((name) => {
    const value = document[name];
    // Attack: `javascript:` as authorization endpoint, or an endpoint in the clear. Such a member counts as absent.
    return typeof value === 'string' && isUpstreamUrl(value, policy, true) ? [[name, value]] : [];
  });
  const lists = LISTS.flatMap((name) => {
    const value = document[name];
    return isTextList(value) ? [[name, value]] : [];
  });
  const promisesIssuer = document['authorization_response_iss_parameter_supported'] === true;
  return {
    issuer,
    ...Object.fromEntries([...urls, ...lists]),
    ...(promisesIssuer ? { authorization_response_iss_parameter_supported: true } : {}),
  };
}

function isTextList(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length <= 200 &&
    value.every((item) => typeof item === 'string' && item.length <= 512)
  );
}

function clockSkew(date: string | undefined, sentAt: number): number | null {
  const theirs = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(theirs) ? null : theirs - sentAt;
}

/** The JSON object in a text, or null. */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
