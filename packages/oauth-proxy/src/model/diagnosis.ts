/** What is looked at, in this order. */
export type CheckName =
  | 'discovery'
  | 'issuer'
  | 'endpoints'
  | 'keys'
  | 'client_authentication'
  | 'callback_url'
  | 'client_secret'
  | 'clock';

/** One finding. `note` tells something that only the provider can check. */
export interface Check {
  readonly name: CheckName;
  readonly result: 'ok' | 'warning' | 'failed' | 'note';
  readonly detail: string;
  /** What to do about a warning or failure. */
  readonly remedy?: string;
}

/** Everything that was found; healthy when nothing failed. */
export interface Diagnosis {
  readonly healthy: boolean;
  readonly checks: readonly Check[];
}
