import { type ReactNode, useState } from 'react';
import { useCaller } from '../../api/queries.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { Page } from '../../ui/page.tsx';
import { PagedTable, type TableColumn } from '../../ui/paged-table.tsx';
import { Age, ExactTime } from '../../ui/time.tsx';
import { WriteFailure } from '../../ui/write-failure.tsx';
import { type Session, useOwnSession, useRevoke, useSignOut } from './sessions.ts';
import { EndSessionDialog, SignOutDialog, type SignOutQuestion } from './sign-out-dialog.tsx';

/** The live sessions: one's own, or everybody's for operators, each with a way to end it. */
export function SessionsPage() {
  const { data: caller } = useCaller();
  const [asked, setAsked] = useState<SignOutQuestion | null>(null);
  const [ending, setEnding] = useState<Session | null>(null);
  const own = useOwnSession();
  const revoke = useRevoke(() => setEnding(null));
  const signOut = useSignOut(() => {
    if (asked?.own) window.location.assign('/console');
    setAsked(null);
  });
  const columns = columnsOf(own, (session) => (
    <SessionActions
      user={session.user}
      isBusy={revoke.isPending}
      onEnd={() => setEnding(session)}
      onSignOut={
        caller?.operator
          ? () => setAsked({ user: session.user, name: session.user, own: session.user === caller.email })
          : null
      }
    />
  ));
  return (
    <Page
      title="Sessions"
      actions={
        <button
          type="button"
          className="button danger"
          disabled={caller === undefined || signOut.isPending}
          onClick={() => setAsked({ user: caller?.uid ?? '', name: 'you', own: true })}
        >
          Sign me out everywhere
        </button>
      }
    >
      <WriteFailure error={revoke.error} />
      <PagedTable
        path="/api/v1/auth/sessions?limit=100"
        what="list sessions"
        none="No session is listed"
        keyOf={({ id }) => id}
        columns={columns}
      />
      {ending === null ? null : (
        <EndSessionDialog
          user={ending.user}
          program={ending.userAgent}
          isOwn={ending.id === own}
          isPending={revoke.isPending}
          onConfirm={() => revoke.mutate(ending)}
          onClose={() => setEnding(null)}
        />
      )}
      {asked === null ? null : (
        <SignOutDialog
          question={asked}
          isPending={signOut.isPending}
          error={signOut.error}
          onConfirm={() => signOut.mutate(asked.user)}
          onClose={() => {
            signOut.reset();
            setAsked(null);
          }}
        />
      )}
    </Page>
  );
}

/** `own` is the id of the session that the page is open in, when it is known. */
function columnsOf(
  own: string | null | undefined,
  actions: (session: Session) => ReactNode,
): readonly TableColumn<Session>[] {
  return [
    { name: 'User', cell: ({ user }) => user },
    {
      name: 'Program',
      cell: ({ id, userAgent }) => (
        <>
          {visibleText(userAgent)}
          {id === own ? <div className="muted">this session</div> : null}
        </>
      ),
    },
    { name: 'Age', cell: ({ createdAt }) => <Age time={createdAt} /> },
    { name: 'Expires', cell: ({ expiresAt }) => <ExactTime time={expiresAt} /> },
    { name: 'Actions', cell: actions },
  ];
}

function SessionActions({
  user,
  isBusy,
  onEnd,
  onSignOut,
}: {
  readonly user: string;
  readonly isBusy: boolean;
  readonly onEnd: () => void;
  /** Ends every session of the user; null for those who may not. */
  readonly onSignOut: (() => void) | null;
}) {
  return (
    <span className="chips">
      <button type="button" className="button" disabled={isBusy} onClick={onEnd}>
        End…<span className="visually-hidden"> the session of {user}</span>
      </button>
      {onSignOut === null ? null : (
        <button type="button" className="button" onClick={onSignOut}>
          Sign out<span className="visually-hidden"> {user}</span> everywhere
        </button>
      )}
    </span>
  );
}
