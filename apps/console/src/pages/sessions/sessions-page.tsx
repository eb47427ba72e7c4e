import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { request, send } from '../../api/http.ts';
import { useCaller } from '../../api/queries.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { announce } from '../../ui/announcer.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable, type TableColumn } from '../../ui/paged-table.tsx';
import { Age, ExactTime } from '../../ui/time.tsx';
import { WriteFailure } from '../../ui/write-failure.tsx';
import { EndSessionDialog, SignOutDialog, type SignOutQuestion } from './sign-out-dialog.tsx';

interface Session {
  readonly id: string;
  readonly user: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly userAgent: string;
}

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
  const columns = columnsOf({
    own,
    actions: (session) => (
      <>
        <button
          type="button"
          className="button"
          disabled={revoke.isPending}
          onClick={() => setEnding(session)}
        >
          End…<span className="visually-hidden"> the session of {session.user}</span>
        </button>
        {caller?.operator ? (
          <button
            type="button"
            className="button"
            onClick={() =>
              setAsked({ user: session.user, name: session.user, own: session.user === caller.email })
            }
          >
            Sign out<span className="visually-hidden"> {session.user}</span> everywhere
          </button>
        ) : null}
      </>
    ),
  });
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
      <WriteFailure error={revoke.error ?? signOut.error} />
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
          onConfirm={() => signOut.mutate(asked.user)}
          onClose={() => setAsked(null)}
        />
      )}
    </Page>
  );
}

interface Columns {
  /** The id of the session that the page is open in, when it is known. */
  readonly own: string | null | undefined;
  readonly actions: (session: Session) => ReactNode;
}

function columnsOf({ own, actions }: Columns): readonly TableColumn<Session>[] {
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
    { name: 'Actions', cell: (session) => <span className="chips">{actions(session)}</span> },
  ];
}

/** The id of the session that the page is open in. */
function useOwnSession(): string | null | undefined {
  const { data } = useQuery({
    queryKey: ['own-session'],
    queryFn: async ({ signal }) => {
      const path = '/api/v1/auth/sessions?current=true';
      return (await request<{ items: readonly Session[] }>(path, { signal })).items[0]?.id ?? null;
    },
    retry: false,
  });
  return data;
}

/** Ends one session. */
function useRevoke(onSettled: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ id }: Session) =>
      send('/api/v1/auth/revoke', { method: 'POST', body: { session_id: id } }),
    onSuccess: () => {
      announce('The session is ended');
      return refresh();
    },
    onSettled,
  });
}

/** Ends all sessions of a user. */
function useSignOut(onSuccess: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (user: string) =>
      send(`/api/v1/auth/users/${encodeURIComponent(user)}/sign-out`, { method: 'POST' }),
    onSuccess: () => {
      announce('All sessions are ended');
      onSuccess();
      return refresh();
    },
  });
}

function useRefresh() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['pages'] });
}
