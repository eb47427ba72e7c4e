import { useEffect } from 'react';
import { loginAddress } from '../ui/signed-out.tsx';

/** The whole page for a visitor who is not logged in. */
export function Welcome() {
  useEffect(() => {
    document.title = 'Log in, console';
  }, []);
  return (
    <main className="main">
      <div className="state">
        <h1>Platform console</h1>
        <p>See and change the resources of this platform: live tables, histories, deletions and access.</p>
        <a className="button primary" href={loginAddress()}>
          Log in
        </a>
        <p className="muted">You come back to this page afterwards.</p>
      </div>
    </main>
  );
}
