import type { Precondition } from '@platform/kernel';
import type { Caller, JsonDocument, Located, ResourcePorts } from '@platform/resources';

/** A request to the generic API that was located and let in: what one operation works with. */
export interface Call {
  readonly ports: ResourcePorts;
  readonly caller: Caller;
  readonly requestId: string;
  readonly located: Located;
  /** The raw path of the request, for links to what it made. */
  readonly path: string;
  /** The parameters of the query. */
  query(): URLSearchParams;
  /** Every configured controller id, for who owns which finalizer. */
  readonly controllerIds: readonly string[];
  /** The versions that a write is for, by `If-Match`; null when it names none. Throws `malformed_request`. */
  precondition(): Precondition | null;
  /** Reads and parses the body; once, however often it is asked for. */
  body(): Promise<JsonDocument>;
}

/** What an operation answers with, as text that is ready to be sent. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One operation of the generic API. It may run again for the same request, so it sends nothing itself. */
export type Operation = (call: Call) => Promise<Answer>;
