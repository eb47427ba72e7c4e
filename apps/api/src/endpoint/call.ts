import type { IncomingHttpHeaders } from 'node:http';
import type { AuditEntry, AuditTrail, ChangeOrigin } from '@platform/access';
import { type Precondition, Problem, readPrecondition } from '@platform/kernel';
import type { IdempotencyKey } from '@platform/resources';
import type { Principal } from '@platform/tokens';
import type { Request, Response } from 'express';
import { originOfRequest, recordAction, recordedOriginOf } from '../http/audit.ts';
import { requireMediaType } from '../http/media-type.ts';
import { parametersIn } from '../http/query-parameters.ts';
import { readBytes, readJsonText, readTyped } from '../http/read-body.ts';
import type { RequestContext } from '../http/request-context.ts';
import { setHeaders } from '../http/send.ts';
import type { Headers } from './answer.ts';

const never = new AbortController().signal;

/** The request as handlers see it, without express. */
export class Call {
  readonly #request: Request;
  readonly #response: Response;
  readonly #audit: AuditTrail | null;
  #gone: AbortController | undefined;
  #bytes: Promise<Buffer> | undefined;

  /** Aborts when the process is asked to stop; streams end soon after, with a final event if they have one. */
  readonly stopping: AbortSignal;

  constructor(
    request: Request,
    response: Response,
    stopping: AbortSignal = never,
    audit: AuditTrail | null = null,
  ) {
    this.#audit = audit;
    this.#request = request;
    this.#response = response;
    this.stopping = stopping;
  }

  /** The state of the request in the pipeline. */
  get context(): RequestContext {
    return this.#request.context;
  }

  /** Names the request in answers, logs and audit records. */
  get id(): string {
    return this.context.id;
  }

  /** The parameters of the path, decoded and not validated. */
  get params(): Readonly<Record<string, string | readonly string[]>> {
    return this.#request.params;
  }

  get method(): string {
    return this.#request.method;
  }

  get headers(): IncomingHttpHeaders {
    return this.#request.headers;
  }

  /** The path as it came, before any percent-decoding, without the query. */
  get path(): string {
    return this.context.path;
  }

  /** The query as it came, without the `?`. */
  get rawQuery(): string {
    return this.context.query;
  }

  /** The query, split and decoded; for endpoints whose use case reads it. Throws `invalid_query` unless it is UTF-8. */
  get searchParams(): URLSearchParams {
    return parametersIn(this.rawQuery);
  }

  /** Says in `Vary` that the answer depends on a header of the request, besides those that are named already. */
  varyBy(header: string): void {
    this.#response.vary(header);
  }

  /** The address of the client, behind the trusted proxies. */
  get address(): string {
    return this.#request.ip ?? '';
  }

  /** The versions that the request is for, and those that it is not for; null when it names none. */
  get precondition(): Precondition | null {
    return readPrecondition(this.#request.headers);
  }

  /** Where the request comes from, for the change log and audit records. Throws `malformed_request` for a bad reason. */
  get origin(): ChangeOrigin {
    return originOfRequest(this.#request);
  }

  /** Where the request comes from, for an audit record, which nothing in the request may prevent. Never throws: a bad reason is left out. */
  get recordedOrigin(): ChangeOrigin {
    return recordedOriginOf(this.#request);
  }

  /** Records an action that has no transaction of its own; it neither delays nor fails the answer. */
  audit(entry: AuditEntry): void {
    recordAction(this.#audit, this.#request, entry);
  }

  /** `Idempotency-Key`, or null. Throws `malformed_request` unless it is 1 to 255 visible ASCII characters. */
  get idempotencyKey(): IdempotencyKey | null {
    const sent = this.#request.headers['idempotency-key'];
    if (sent === undefined) return null;
    if (typeof sent === 'string' && /^[\x21-\x7e]{1,255}$/.test(sent))
      return { account: accountOf(this.context.principal), value: sent };
    throw new Problem(
      'malformed_request',
      'Idempotency-Key must appear once, with 1 to 255 visible ASCII characters.',
    );
  }

  /** Aborts when the client is gone; streams must end then. */
  get signal(): AbortSignal {
    if (this.#gone === undefined) {
      const gone = new AbortController();
      this.#gone = gone;
      if (this.#response.closed) gone.abort();
      else this.#response.once('close', () => gone.abort());
    }
    return this.#gone.signal;
  }

  /** Sets headers that are sent with whatever is answered, refusals too. */
  setHeaders(headers: Headers): void {
    setHeaders(this.#response, headers);
  }

  /** Removes a header of {@link setHeaders}. */
  removeHeader(name: string): void {
    this.#response.removeHeader(name);
  }

  /** Reads a JSON body as text, without parsing it; see `readJsonText`. */
  jsonText(limit: number): Promise<string> {
    return readJsonText(this.#request, limit);
  }

  /**
   * Reads a body of one of several media types as bytes; see `readJsonText`. A second call returns the same bytes: a request that was tried
   * with an old definition is tried again with the current one.
   */
  async typedBytes<const T extends string>(mediaTypes: readonly T[], limit: number, untyped?: T) {
    const mediaType = requireMediaType(this.#request, mediaTypes, untyped);
    this.#bytes ??= readBytes(this.#request, limit);
    return { mediaType, bytes: await this.#bytes };
  }

  /** Reads a body of one of several media types as text; see `readTyped`. */
  typedText<const T extends string>(mediaTypes: readonly T[], limit: number) {
    return readTyped(this.#request, mediaTypes, limit);
  }
}

/** Names an account for as long as it exists, whatever its name or address. */
function accountOf(principal: Principal | null): string {
  if (principal === null) return 'anonymous';
  return principal.type === 'controller' ? `controller:${principal.id}` : principal.uid;
}
