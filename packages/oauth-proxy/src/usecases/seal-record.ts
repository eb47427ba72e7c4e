import { type ProxyExtension, sealContext } from '../model/extension.ts';
import type { CodeRecord, RefreshRecord, StateRecord } from '../model/flow.ts';
import { parseExact, stringifyExact } from '../rules/exact-json.ts';
import type { ProxyPorts } from './ports.ts';

/** The types of sealed records by the purpose that they are bound to. */
interface Records {
  readonly oauth_state: StateRecord;
  readonly oauth_code: CodeRecord;
  readonly oauth_refresh_token: RefreshRecord;
}

/** Seals a record for one extension and purpose: a code's record cannot be opened as a state's. */
export function sealRecord<K extends keyof Records>(
  { sealer }: Pick<ProxyPorts, 'sealer'>,
  purpose: K,
  extension: ProxyExtension,
  record: Records[K],
): string {
  return sealer.seal(stringifyExact(record), sealContext(purpose, extension));
}

/** Opens a record; null if it was not sealed for this extension and purpose. {@link sealRecord} wrote it, so its type is known. */
export function unsealRecord<K extends keyof Records>(
  { sealer }: Pick<ProxyPorts, 'sealer'>,
  purpose: K,
  extension: ProxyExtension,
  sealed: string,
): Records[K] | null {
  const text = sealer.unseal(sealed, sealContext(purpose, extension));
  return text === null ? null : (parseExact(text) as Records[K]);
}
