import type { Check, CheckName, Diagnosis } from '../model/diagnosis.ts';
import { namesEndpoints, type OAuthExtensionSpec } from '../model/extension-spec.ts';
import { remedies } from '../model/messages.ts';
import type { Jwk, UpstreamMetadata } from '../model/upstream-metadata.ts';

/** A fact that could not be determined, and why. */
export interface Missing {
  readonly missing: string;
  /** Whether a document exists but names another issuer. */
  readonly otherIssuer?: boolean;
}

/** The facts about an extension. */
export interface Facts {
  readonly spec: OAuthExtensionSpec;
  readonly callbackUrl: string;
  readonly discovery: { readonly metadata: UpstreamMetadata; readonly clockSkewMs: number | null } | Missing;
  readonly keys: readonly Jwk[] | Missing;
  /** Whether the stored secrets can be opened: the provider's, and the app's newest. */
  readonly secrets: { readonly upstream: boolean; readonly app: boolean };
}

/** The clock skew that is tolerated in tokens, in seconds. */
const clockTolerance = 30;
const signingKinds = ['RSA', 'EC', 'OKP'];
const knownMethods = ['client_secret_basic', 'client_secret_post'];

/** Evaluates the facts and adds the remedies. The use case requests the facts from the provider. */
export function diagnose(facts: Facts): Diagnosis {
  const checks = [
    checkDiscovery(facts),
    checkIssuer(facts),
    checkEndpoints(facts),
    checkKeys(facts),
    checkClientAuthentication(facts),
    note('callback_url', `Register this redirect URI with the provider, exactly: ${facts.callbackUrl}`),
    checkSecrets(facts),
    checkClock(facts),
  ];
  return { healthy: checks.every((check) => check.result !== 'failed'), checks };
}

const ok = (name: CheckName, detail: string): Check => ({ name, result: 'ok', detail });
const note = (name: CheckName, detail: string): Check => ({ name, result: 'note', detail });
const warning = (name: CheckName, detail: string, remedy: string): Check => ({
  name,
  result: 'warning',
  detail,
  remedy,
});
const failed = (name: CheckName, detail: string, remedy: string): Check => ({
  name,
  result: 'failed',
  detail,
  remedy,
});

function checkDiscovery(facts: Facts): Check {
  if (!('missing' in facts.discovery)) return ok('discovery', 'The discovery document can be fetched.');
  if (facts.discovery.otherIssuer === true) return ok('discovery', 'A discovery document can be fetched.');
  const detail = `There is no discovery document: ${facts.discovery.missing}.`;
  return namesEndpoints(facts.spec)
    ? note('discovery', `${detail} The spec names the endpoints.`)
    : failed('discovery', detail, remedies.endpoints);
}

function checkIssuer(facts: Facts): Check {
  const { issuer_url: issuerUrl } = facts.spec;
  if (!('missing' in facts.discovery)) return ok('issuer', `The provider calls itself ${issuerUrl}.`);
  if (facts.discovery.otherIssuer !== true)
    return note('issuer', 'Without a discovery document there is nothing to compare.');
  return failed('issuer', `${facts.discovery.missing}: it is not exactly ${issuerUrl}.`, remedies.issuerUrl);
}

function checkEndpoints(facts: Facts): Check {
  const metadata = 'missing' in facts.discovery ? null : facts.discovery.metadata;
  const authorization = facts.spec.authorization_endpoint ?? metadata?.authorization_endpoint;
  const token = facts.spec.token_endpoint ?? metadata?.token_endpoint;
  if (authorization !== undefined && token !== undefined) {
    return ok('endpoints', `Logins go to ${authorization}, codes to ${token}.`);
  }
  const lacking = authorization === undefined ? 'authorization_endpoint' : 'token_endpoint';
  return failed('endpoints', `No ${lacking} in spec or OIDC discovery.`, remedies.endpoints);
}

function checkKeys(facts: Facts): Check {
  if ('missing' in facts.discovery)
    return note('keys', 'A provider without discovery issues no ID tokens that could be verified.');
  if ('missing' in facts.keys) {
    return failed(
      'keys',
      `The keys of the provider cannot be fetched: ${facts.keys.missing}.`,
      'Check jwks_uri in the discovery document of the provider.',
    );
  }
  const usable = facts.keys.filter(
    ({ kty, use }) => signingKinds.some((kind) => kind === kty) && (use === undefined || use === 'sig'),
  );
  if (usable.length > 0)
    return ok('keys', `The provider publishes ${usable.length} key(s) to verify ID tokens with.`);
  return failed(
    'keys',
    'The provider publishes no RSA, EC or Ed25519 key.',
    'Let the provider sign ID tokens with RS256, PS256, ES256 or EdDSA; tokens signed with the client secret (HS256) are not accepted.',
  );
}

function checkClientAuthentication(facts: Facts): Check {
  const listed =
    'missing' in facts.discovery ? undefined : facts.discovery.metadata.token_endpoint_auth_methods_supported;
  if (listed === undefined || listed.some((method) => knownMethods.includes(method))) {
    return ok('client_authentication', 'The provider takes a client secret.');
  }
  return warning(
    'client_authentication',
    `The provider lists ${listed.join(', ')} only.`,
    'Allow client_secret_basic or client_secret_post for this client at the provider.',
  );
}

function checkSecrets({ secrets: { upstream, app } }: Facts): Check {
  if (!upstream) {
    return failed(
      'client_secret',
      'The stored client secret of the provider cannot be decrypted.',
      'Put the key that sealed it back into encryption.keys, or encrypt the secret again and write it as client_secret_encrypted.',
    );
  }
  if (!app) {
    return failed(
      'client_secret',
      'The stored client secret of the app cannot be decrypted.',
      'Put the key that sealed it back into encryption.keys, or rotate the secret.',
    );
  }
  return ok(
    'client_secret',
    'The stored secrets can be decrypted. Only the provider can tell whether its own is right.',
  );
}

function checkClock(facts: Facts): Check {
  const skew = 'missing' in facts.discovery ? null : facts.discovery.clockSkewMs;
  if (skew === null) return note('clock', 'The provider does not tell its time.');
  const seconds = Math.round(skew / 1000);
  const detail = `The clock of the provider is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} ours.`;
  if (Math.abs(seconds) <= clockTolerance) return ok('clock', detail);
  return failed(
    'clock',
    detail,
    'Synchronize the clock of this service (NTP): ID tokens are refused when they are off by more than 30 s.',
  );
}
