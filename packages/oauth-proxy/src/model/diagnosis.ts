/** The checks, in this order. */
export type CheckName =
  | 'discovery'
  | 'issuer'
  | 'endpoints'
  | 'keys'
  | 'client_authentication'
  | 'callback_url'
  | 'client_secret'
  | 'clock';

/** The result of one check. A `note` is about something that only the provider can check. */
export interface Check {
  readonly name: CheckName;
  readonly result: 'ok' | 'warning' | 'failed' | 'note';
  readonly detail: string;
  /** How to correct a warning or failure. */
  readonly remedy?: string;
}

/** The results of all checks; healthy if none failed. */
export interface Diagnosis {
  readonly healthy: boolean;
  readonly checks: readonly Check[];
}
