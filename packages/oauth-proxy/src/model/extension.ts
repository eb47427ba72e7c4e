import type { SealContext } from '@platform/kernel';
import type { OAuthExtensionSpec } from './extension-spec.ts';

/** A stored client secret of an extension: the hash verifies it, the sealed text can be shown to project members. */
export interface StoredClientSecret {
  /** SHA-256 of the secret, lower-case hex. */
  readonly hash: string;
  /** The secret sealed in {@link clientSecretContext}. */
  readonly sealed: string;
  /** RFC 3339; missing in a secret of an older release. */
  readonly createdAt?: string;
}

/** A project's OAuth extension with all that the proxy needs. */
export interface ProxyExtension {
  readonly projectUid: string;
  readonly extensionUid: string;
  readonly project: string;
  readonly extension: string;
  readonly projectUrl: string;
  /** Further origins of the app, e.g. `https://app.example.com`. */
  readonly customDomains: readonly string[];
  readonly spec: OAuthExtensionSpec;
  /** The upstream client secret, sealed in {@link upstreamSecretContext}. */
  readonly sealedUpstreamSecret: string;
  /** The valid secrets of the app, newest first: two after a rotation. */
  readonly clientSecrets: readonly StoredClientSecret[];
}

/** The two names in the path of every proxy endpoint. */
export interface ExtensionName {
  readonly project: string;
  readonly extension: string;
}

/** The client id of the app at the proxy. */
export function clientIdOf({ project, extension }: ExtensionName): string {
  return `${project}-${extension}`;
}

/** The issuer of an extension. `publicUrl` is `server.public_url`, without a trailing slash. */
export function issuerOf(publicUrl: string, { project, extension }: ExtensionName): string {
  return `${publicUrl}/oidc/${project}/${extension}`;
}

/** The redirect URI to register with the upstream provider. */
export function callbackUrlOf(publicUrl: string, name: ExtensionName): string {
  return `${issuerOf(publicUrl, name)}/callback`;
}

/** The seal context of an extension: a ciphertext that is copied to another extension cannot be opened. */
export function sealContext(
  purpose: string,
  { projectUid, extensionUid }: Pick<ProxyExtension, 'projectUid' | 'extensionUid'>,
): SealContext {
  return { purpose, project: projectUid, extension: extensionUid };
}

/** Context of the stored upstream client secret. */
export function upstreamSecretContext(of: Pick<ProxyExtension, 'projectUid' | 'extensionUid'>): SealContext {
  return sealContext('upstream_client_secret', of);
}

/** Context of the stored client secrets of the app. */
export function clientSecretContext(of: Pick<ProxyExtension, 'projectUid' | 'extensionUid'>): SealContext {
  return sealContext('proxy_client_secret', of);
}
