import { resolve } from 'node:path';
import { Option } from 'commander';
import { isPlatformError } from 'platform-service-client';
import { stringify } from 'yaml';
import { Failure } from '../failure.ts';
import type { CommandContext, Register } from './command-context.ts';

interface KubeconfigOptions {
  readonly namespace?: string;
}

interface ClusterConfig {
  readonly clusters: readonly object[];
}

/** `kubeconfig`: the configuration of kubectl and other clients of Kubernetes. */
export const registerKubeconfig: Register = (program, contextOf) => {
  program
    .command('kubeconfig')
    .description('print a kubeconfig, so that kubectl, Helm and others work with the platform')
    .addOption(new Option('-n, --namespace <namespace>', 'the default namespace').default('default'))
    .action(async ({ namespace = 'default' }: KubeconfigOptions, command) => {
      const context = contextOf(command);
      const cluster = await readCluster(context);
      const user = { name: 'platform', user: { exec: plugInOf(context) } };
      const inUse = { name: 'platform', context: { cluster: 'platform', user: 'platform', namespace } };
      context.out(
        stringify({
          apiVersion: 'v1',
          kind: 'Config',
          ...cluster,
          users: [user],
          contexts: [inUse],
          'current-context': 'platform',
        }),
      );
    });
};

async function readCluster({ session, signal }: CommandContext): Promise<ClusterConfig> {
  const client = session.clientWith(undefined);
  try {
    const { text } = await client.send({ method: 'GET', path: '/kubernetes/kubeconfig', signal });
    return JSON.parse(text) as ClusterConfig;
  } catch (error) {
    throw failureFor(error) ?? error;
  }
}

/** The reason for a 404, from its body: the platform answers a problem, its Kubernetes API a Status. Null for other errors. */
function failureFor(error: unknown): Failure | null {
  if (!isPlatformError(error) || error.status !== 404) return null;
  if (error.code === 'unknown_endpoint') {
    const hint = 'ask the operator of the platform to set kubernetes.enabled';
    return new Failure('failed', 'the Kubernetes API is switched off', hint);
  }
  const { kind, message } = error.members;
  return kind === 'Status' && typeof message === 'string' ? new Failure('failed', message) : null;
}

/** This program, as the plug-in that hands out the token of the login. */
function plugInOf({ session }: CommandContext): object {
  const [node = 'node', script = 'platform'] = process.argv;
  const { context, url, tokenFile } = session.options;
  const selected = {
    '--context': context,
    '--url': url,
    '--token-file': tokenFile === undefined ? undefined : resolve(tokenFile),
  };
  const options = Object.entries(selected).flatMap(([name, value]) =>
    value === undefined ? [] : [name, value],
  );
  return {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: node,
    args: [script, ...options, 'token', 'exec-credential'],
    interactiveMode: 'Never',
    installHint:
      'platform kubeconfig writes the path of the platform command; run it again when that has moved',
  };
}
