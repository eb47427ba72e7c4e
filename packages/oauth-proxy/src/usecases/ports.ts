import type { Clock, Logger, RandomBytes, Sealer } from '@platform/kernel';
import type { ExtensionDirectory } from '../ports/extension-directory.ts';
import type { FlowStore } from '../ports/flow-store.ts';
import type { IdTokenSigner } from '../ports/id-token-signer.ts';
import type { Upstream } from '../ports/upstream.ts';

/** What the use cases are given. Each takes the part that it needs. */
export interface ProxyPorts {
  /** `server.public_url`, without a trailing slash. */
  readonly publicUrl: string;
  readonly extensions: ExtensionDirectory;
  readonly flows: FlowStore;
  readonly upstream: Upstream;
  readonly signer: IdTokenSigner;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
}
