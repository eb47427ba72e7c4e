/** An answer that is kept for repeated requests. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The state of a request with an idempotency key: it is new, another transaction is answering it, or it was answered before, for a body
 * with that hash.
 */
export type RequestState =
  | { readonly state: 'new' | 'running' }
  | { readonly state: 'answered'; readonly bodyHash: string; readonly answer: KeptAnswer };

/** The answers of requests with idempotency keys, inside a transaction. */
export interface AnsweredRequests {
  /** Must keep the request to this transaction until its end, and return its state. Must not wait. Answers older than 24 hours do not count. */
  claim(keyHash: string): Promise<RequestState>;

  /** Must keep the answer with the commit of the transaction, for 24 hours. */
  keep(keyHash: string, bodyHash: string, answer: KeptAnswer): Promise<void>;
}
