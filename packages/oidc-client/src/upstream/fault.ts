import { OutboundError, type OutboundFailure, OutboundRefusedError } from '@platform/kernel';
import { UpstreamFault, type UpstreamFaultKind } from '@platform/oauth-proxy';
import { IssuerMismatchError } from '../documents/discovery.ts';

/** The kind of upstream fault for each outbound failure. */
const kinds: Readonly<Record<OutboundFailure, UpstreamFaultKind>> = {
  unresolvable: 'unreachable',
  unreachable: 'unreachable',
  bad_tls: 'unreachable',
  timeout: 'timeout',
  too_large: 'too_large',
  compressed: 'unreadable',
  bad_response: 'unreadable',
  bad_status: 'bad_status',
  bad_json: 'unreadable',
};

/** Sends a request to the upstream, and converts errors of the outbound module to UpstreamFault. */
export async function callUpstream<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof OutboundRefusedError) throw new UpstreamFault('refused', error.message, error);
    if (error instanceof IssuerMismatchError)
      throw new UpstreamFault('issuer_mismatch', error.message, error);
    if (error instanceof OutboundError) throw new UpstreamFault(kinds[error.reason], error.message, error);
    throw error;
  }
}
