import type { AuthorizationCodeStore, Clock, Logger, RandomBytes, Sealer } from '@platform/kernel';
import type { ExtensionDirectory } from '../ports/extension-directory.ts';
import type { IdTokenSigner } from '../ports/id-token-signer.ts';
import type { Upstream } from '../ports/upstream.ts';

/** The dependencies of the use cases. Each use case takes the part that it needs. */
export interface ProxyPorts {
  /** `server.public_url`, without a trailing slash. */
  readonly publicUrl: string;
  readonly extensions: ExtensionDirectory;
  /** The states of the requests to upstream providers, until the browser returns. */
  readonly states: AuthorizationCodeStore;
  /** The authorization codes of the proxy, until an app redeems them. */
  readonly codes: AuthorizationCodeStore;
  readonly upstream: Upstream;
  readonly signer: IdTokenSigner;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
}
