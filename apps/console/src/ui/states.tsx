import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { RequestError } from '../api/http.ts';
import { CopyButton } from './copy.tsx';
import { Icon } from './icon.tsx';
import { SignedOut } from './signed-out.tsx';

/** Why there is nothing, and what to do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="state">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Rows of the final height, after a moment: a flash of them would be noise. */
export function Loading({ rows = 4 }: { readonly rows?: number }) {
  return (
    <div className="state" role="status" style={{ justifyItems: 'stretch' }}>
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same and never move
        <div key={index} className="skeleton" />
      ))}
    </div>
  );
}

/** Whatever kept something from being shown, with the next step. `what` completes "You may not ...". */
export function Failure({
  error,
  what,
  retry,
}: {
  readonly error: unknown;
  readonly what: string;
  /** Reads it again; unless given, the queries that failed with this error are. */
  readonly retry?: (() => void) | undefined;
}) {
  const queries = useQueryClient();
  const readAgain = () => void queries.refetchQueries({ predicate: ({ state }) => state.error === error });
  if (!(error instanceof RequestError)) return <Broken error={error} />;
  if (error.status === 401) return <SignedOut />;
  if (error.status === 403) return <Forbidden error={error} what={what} />;
  return (
    <div className="state" role="alert">
      <h2>{error.problem?.title ?? error.message}</h2>
      {error.problem?.detail === undefined || error.problem.detail === `${error.problem.title}.` ? null : (
        <p>{error.problem.detail}</p>
      )}
      <RequestLine error={error} />
      <button type="button" className="button" onClick={retry ?? readAgain}>
        <Icon name="refresh" />
        Retry
      </button>
    </div>
  );
}

/** One text for a resource that is hidden and one that does not exist: the server does not tell them apart, either. */
function Forbidden({ error, what }: { readonly error: RequestError; readonly what: string }) {
  const text = `${error.method} ${error.path}`;
  return (
    <div className="state" role="alert">
      <h2>You may not {what}, or it does not exist</h2>
      <p className="muted">Ask an operator for access to this request:</p>
      <p>
        <code>{text}</code> <CopyButton text={text} label="the request" />
      </p>
      <p>
        <Link to="/">Home</Link> <span className="muted">says who you are and which roles you have.</span>
      </p>
    </div>
  );
}

function Broken({ error }: { readonly error: unknown }) {
  return (
    <div className="state" role="alert">
      <h2>This part of the page failed</h2>
      <p>{error instanceof Error ? error.message : String(error)}</p>
    </div>
  );
}

/** When the same request may be answered, as far as the answer says, and the details that support needs to find it. */
export function RequestLine({ error }: { readonly error: RequestError }) {
  return (
    <p className="muted">
      <code>{error.code}</code>
      {error.requestId === null ? null : (
        <>
          {' · request '}
          <code>{error.requestId}</code>
          <CopyButton text={error.requestId} label="the request id" />
        </>
      )}
      {error.retryAfterMs === 0 ? '' : ` · try again in ${Math.ceil(error.retryAfterMs / 1_000)} s`}
    </p>
  );
}
