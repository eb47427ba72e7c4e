import { useMutation, useQueryClient } from '@tanstack/react-query';
import { send } from '../../api/http.ts';
import { useCaller } from '../../api/queries.ts';
import { announce } from '../../ui/announcer.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable, type TableColumn } from '../../ui/paged-table.tsx';
import { Age, ExactTime } from '../../ui/time.tsx';
import { WriteFailure } from '../../ui/write-failure.tsx';

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
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: ['pages'] });
  const revoke = useMutation({
    mutationFn: ({ id }: Session) =>
      send('/api/v1/auth/revoke', { method: 'POST', body: { session_id: id } }),
    onSuccess: () => {
      announce('The session is ended');
      return refresh();
    },
  });
  const signOut = useMutation({
    mutationFn: (user: string) =>
      send(`/api/v1/auth/users/${encodeURIComponent(user)}/sign-out`, { method: 'POST' }),
    onSuccess: () => {
      announce('All sessions are ended');
      return refresh();
    },
  });
  const columns: readonly TableColumn<Session>[] = [
    { name: 'User', cell: ({ user }) => user },
    { name: 'Program', cell: ({ userAgent }) => userAgent },
    { name: 'Age', cell: ({ createdAt }) => <Age time={createdAt} /> },
    { name: 'Expires', cell: ({ expiresAt }) => <ExactTime time={expiresAt} /> },
    {
      name: 'Actions',
      cell: (session) => (
        <button
          type="button"
          className="button"
          disabled={revoke.isPending}
          onClick={() => revoke.mutate(session)}
        >
          End<span className="visually-hidden"> the session of {session.user}</span>
        </button>
      ),
    },
  ];
  return (
    <Page
      title="Sessions"
      actions={
        <button
          type="button"
          className="button danger"
          disabled={caller === undefined || signOut.isPending}
          onClick={() => {
            if (window.confirm('End all of your sessions, also this one?')) signOut.mutate(caller?.uid ?? '');
          }}
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
    </Page>
  );
}
