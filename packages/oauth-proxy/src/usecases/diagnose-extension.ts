import type { Diagnosis } from '../model/diagnosis.ts';
import {
  callbackUrlOf,
  clientSecretContext,
  type ProxyExtension,
  upstreamSecretContext,
} from '../model/extension.ts';
import { UpstreamFault } from '../ports/upstream.ts';
import { diagnose, type Facts, type Missing } from '../rules/diagnose.ts';
import type { ProxyPorts } from './ports.ts';

/** Checks everything of an extension that can be checked without a login. For project members. */
export async function diagnoseExtension(
  ports: Pick<ProxyPorts, 'upstream' | 'sealer' | 'publicUrl'>,
  extension: ProxyExtension,
): Promise<Diagnosis> {
  const { upstream, sealer, publicUrl } = ports;
  // Fetches fresh documents: a cached one may hide the problem, or that it is solved.
  const discovery = await orMissing(() => upstream.discover(extension.spec.issuer_url, { fresh: true }));
  const keys =
    'missing' in discovery
      ? discovery
      : await orMissing(() => upstream.keys(discovery.metadata, { fresh: true }));
  const newest = extension.clientSecrets[0];
  return diagnose({
    spec: extension.spec,
    callbackUrl: callbackUrlOf(publicUrl, extension),
    discovery,
    keys,
    secrets: {
      upstream: sealer.unseal(extension.sealedUpstreamSecret, upstreamSecretContext(extension)) !== null,
      app: newest !== undefined && sealer.unseal(newest.sealed, clientSecretContext(extension)) !== null,
    },
  });
}

async function orMissing<T extends Exclude<Facts['discovery'] | Facts['keys'], Missing>>(
  ask: () => Promise<T>,
): Promise<T | Missing> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error;
    return { missing: error.message, otherIssuer: error.kind === 'issuer_mismatch' };
  }
}
