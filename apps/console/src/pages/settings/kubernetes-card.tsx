import { useQuery } from '@tanstack/react-query';
import { RequestError, request } from '../../api/http.ts';
import { Card } from '../../ui/card.tsx';
import { Command } from '../../ui/copy.tsx';
import { Failure, Loading } from '../../ui/states.tsx';

interface Cluster {
  readonly clusters: readonly { readonly cluster: { readonly server: string } }[];
}

/** The way for kubectl. Its user is the login of the command line, so the command line writes the file. */
export function KubernetesCard() {
  const cluster = useQuery({
    queryKey: ['kubeconfig'],
    queryFn: async ({ signal }): Promise<Cluster | null> => {
      try {
        return await request<Cluster>('/kubernetes/kubeconfig', { signal });
      } catch (error) {
        // It is switched off, or there is no TLS, over which alone kubectl sends credentials.
        if (error instanceof RequestError && error.status === 404) return null;
        throw error;
      }
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Card title="kubectl">
      {cluster.error !== null ? (
        <Failure error={cluster.error} what="use the Kubernetes API" />
      ) : cluster.data === undefined ? (
        <Loading rows={2} />
      ) : cluster.data === null ? (
        <p className="muted">
          kubectl needs TLS, and this platform is reached over plain http or has the Kubernetes API switched
          off.
        </p>
      ) : (
        <div className="stack">
          <p>
            The Kubernetes API is at <code>{cluster.data.clusters[0]?.cluster.server}</code>. Log in with the
            command line, then write a kubeconfig, which takes its token from that login:
          </p>
          <Command
            text="platform kubeconfig > ~/.kube/platform"
            label="the command that writes the kubeconfig"
          />
          <Command
            text="KUBECONFIG=~/.kube/platform kubectl get namespaces"
            label="the command that uses the kubeconfig"
          />
        </div>
      )}
    </Card>
  );
}
