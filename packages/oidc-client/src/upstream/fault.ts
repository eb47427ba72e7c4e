import { OutboundFailed, type OutboundFailure, OutboundRefused } from '@platform/kernel';
import { UpstreamFault, type UpstreamFaultKind } from '@platform/oauth-proxy';
import { IssuerMismatchError } from '../documents/discovery.ts';

/** What each failure of the outbound module is for a login. */
const kinds: Readonly<Record<OutboundFailure, UpstreamFaultKind>> = {
  unresolvable: 'unreachable',
  unreachable: 'unreachable',
  bad_tls: 'unreachable',
  timeout: 'timeout',
  too_large: 'too_large',
  // A token endpoint that redirects would get the client secret repeated somewhere else; nobody needs that.
  redirect: 'unreadable',
  compressed: 'unreadable',
  bad_response: 'unreadable',
  bad_status: 'bad_status',
  bad_json: 'unreadable',
};

/** Runs a request to the upstream; whatever the outbound module throws becomes the port's own fault. */
export async function asUpstream<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof OutboundRefused) throw new UpstreamFault('refused', error.message, error);
    if (error instanceof IssuerMismatchError)
      throw new UpstreamFault('issuer_mismatch', error.message, error);
    if (error instanceof OutboundFailed) throw new UpstreamFault(kinds[error.reason], error.message, error);
    throw error;
  }
}
