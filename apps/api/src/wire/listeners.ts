import type { Config } from '@platform/config';
import type { Service } from '../process/run.ts';
import { defaultTimeouts, type ServerLimits } from '../process/server.ts';
import type { KubernetesCluster } from '../routes/kubernetes/kubeconfig.ts';

/** The limits of each listener: the configured ones, otherwise those of production. */
export function limitsOf(server: Config['server']): ServerLimits {
  return {
    ...defaultTimeouts,
    headers: server.headers_timeout_seconds * 1_000,
    request: server.request_timeout_seconds * 1_000,
    maxConnections: server.max_connections,
  };
}

/** Where the API listens with TLS, when it has a certificate. */
export function tlsOf({ server, origin }: Pick<Config, 'server' | 'origin'>): Service['tls'] {
  const { tls_listen: address, tls_certificate_pem: cert, tls_private_key_pem: key } = server;
  if (address === undefined || cert === undefined || key === undefined) return null;
  return { address, cert, key, isOptional: origin.development };
}

/** How clients of Kubernetes reach the API; they send credentials over TLS only. */
export function clusterOf(config: Config): KubernetesCluster {
  const { server, default_organization: organization } = config;
  const lastingNamespace = organization.name;
  const { public_url: publicUrl, tls_authority_pem: authority = null } = server;
  const tls = tlsOf(config);
  if (publicUrl.startsWith('https:')) return { url: publicUrl, authority: null, lastingNamespace };
  if (tls === null) return { url: null, authority: null, lastingNamespace };
  const host = tls.address.host.includes(':') ? `[${tls.address.host}]` : tls.address.host;
  return { url: `https://${host}:${tls.address.port}`, authority, lastingNamespace };
}
