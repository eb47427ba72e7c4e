/** The way to log in and come back to the same page. */
export function loginAddress(): string {
  const { pathname, search, hash } = window.location;
  return `/api/v1/auth/login?redirect=${encodeURIComponent(pathname + search + hash)}`;
}

/** A login that leaves this page as it is: the new session is that of every tab. */
export function LogInElsewhere() {
  return (
    <a
      className="button"
      href={`/api/v1/auth/login?redirect=${encodeURIComponent('/console')}`}
      target="_blank"
      rel="noreferrer"
    >
      Log in in a new tab
    </a>
  );
}

export function SignedOut() {
  return (
    <div className="state">
      <h2>You are not logged in</h2>
      <p className="muted">You come back to this page afterwards.</p>
      <a className="button primary" href={loginAddress()}>
        Log in
      </a>
    </div>
  );
}
