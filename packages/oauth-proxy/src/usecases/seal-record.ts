import { type ProxyExtension, sealContext } from '../model/extension.ts';
import type { CodeRecord, RefreshRecord, StateRecord } from '../model/flow.ts';
import type { ProxyPorts } from './ports.ts';

/** Every kind of sealed record with its type; the name is the purpose that it is bound to. */
interface Records {
  readonly oauth_state: StateRecord;
  readonly oauth_code: CodeRecord;
  readonly oauth_refresh_token: RefreshRecord;
}

/** Seals a record for one extension and one purpose: a code's record moved to a state's row opens nothing. */
export function sealRecord<K extends keyof Records>(
  { sealer }: Pick<ProxyPorts, 'sealer'>,
  purpose: K,
  extension: ProxyExtension,
  record: Records[K],
): string {
  return sealer.seal(JSON.stringify(record), sealContext(purpose, extension));
}

/** Opens a record; null when it was not sealed here for this. What opens was written by {@link sealRecord}, so its type is known. */
export function unsealRecord<K extends keyof Records>(
  { sealer }: Pick<ProxyPorts, 'sealer'>,
  purpose: K,
  extension: ProxyExtension,
  sealed: string,
): Records[K] | null {
  const text = sealer.unseal(sealed, sealContext(purpose, extension));
  return text === null ? null : (JSON.parse(text) as Records[K]);
}
