import { Link } from '@tanstack/react-router';
import type { Caller } from '../../api/queries.ts';
import { Card } from '../../ui/card.tsx';

/** Who the caller is and why they see what they see: for everybody whom bindings decide about. */
export function You({ caller }: { readonly caller: Caller }) {
  const { email, admin, groups = [], bindings = [] } = caller;
  return (
    <Card title="You" actions={<Link to="/settings">Settings</Link>}>
      <dl className="facts">
        <dt>E-mail</dt>
        <dd>{email}</dd>
        {admin ? (
          <>
            <dt>Admin</dt>
            <dd>of the projects and teams of the default organization</dd>
          </>
        ) : null}
        <dt>Groups</dt>
        <dd>{groups.join(', ') || <span className="muted">none</span>}</dd>
        <dt>Roles</dt>
        <dd>
          {bindings.length === 0 ? (
            <span className="muted">none yet</span>
          ) : (
            <ul className="plain">
              {bindings.map(({ name, role, scope }) => (
                <li key={name}>
                  <strong>{role}</strong> {scope === null ? 'for everything' : 'below one resource'}{' '}
                  <span className="muted">by the binding {name}</span>
                </li>
              ))}
            </ul>
          )}
        </dd>
      </dl>
      {bindings.length === 0 ? (
        <p className="notice">
          Without a role you see your projects and teams, but no resources. Ask an operator for a role binding
          of <code>{email}</code>
          {groups.length === 0 ? '' : ' or one of your groups'}.
        </p>
      ) : null}
    </Card>
  );
}
