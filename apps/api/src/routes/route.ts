import type { Problem } from '@platform/kernel';
import type { Request, Response } from 'express';

/**
 * Who may call an endpoint, decided before anything of the request but its headers is looked at:
 * `public` nobody is asked; `authenticated` anyone with a valid credential; `user` a person with a session;
 * `platform` operators and controllers, everybody else gets one and the same 403.
 */
export type Access = 'public' | 'authenticated' | 'user' | 'platform';

/** The methods that endpoints may have. HEAD is answered wherever GET is. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS';

/** One endpoint. */
export interface Route {
  readonly method: Method;
  /** An express path such as `/api/v1/projects/:project`; also the `route` label of its metrics. */
  readonly path: string;
  readonly access: Access;
  /** Answers, or throws a Problem. `request.exchange.principal` is set unless the access is `public`. */
  handle(request: Request, response: Response): Promise<void> | void;
}

/** Endpoints below a prefix that read the raw path themselves. */
export interface RouteFamily {
  /** An express path; everything below it belongs to the family, whatever the method. */
  readonly prefix: string;
  readonly access: Access;
  /** As in {@link Route}; sets `request.exchange.route`, and refuses paths and methods itself. */
  handle(request: Request, response: Response): Promise<void> | void;
  /** Told of every caller that was refused, by the gate or by the family, before the answer. */
  refused?(request: Request, problem: Problem): void;
}
