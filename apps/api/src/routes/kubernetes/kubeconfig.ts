import { Problem } from '@platform/kernel';
import { type Answer, json } from '../../endpoint/answer.ts';
import { kubernetesPrefix } from './path.ts';

/** How clients reach the Kubernetes API. */
export interface KubernetesCluster {
  /** The base of its addresses; null where there is no TLS, over which alone clients send credentials. */
  readonly url: string | null;
  /** The certificate authority that clients have to trust, in PEM; null for those of the machine. */
  readonly authority: string | null;
  /** The namespace that may not be deleted; null for none. */
  readonly lastingNamespace?: string | null;
}

/** `/kubernetes/kubeconfig`: the cluster of a kubeconfig, to which `platform kubeconfig` adds the user. */
export function kubeconfigAnswer({ url, authority }: KubernetesCluster): Answer {
  if (url === null) {
    throw new Problem(
      'unknown_endpoint',
      'kubectl sends credentials over TLS only, and the platform is reached over plain http: set an https server.public_url, or server.tls_listen with a certificate.',
    );
  }
  const trust =
    authority === null ? {} : { 'certificate-authority-data': Buffer.from(authority).toString('base64') };
  const cluster = { server: url + kubernetesPrefix, ...trust };
  const config = { apiVersion: 'v1', kind: 'Config', clusters: [{ name: 'platform', cluster }] };
  return { ...json(200, config), contentType: 'application/json' };
}
