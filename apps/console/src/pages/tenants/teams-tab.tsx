import { Link, useNavigate } from '@tanstack/react-router';
import { type Team, teamKind } from '../../typed/kinds/team.ts';
import type { TableColumn } from '../../ui/paged-table.tsx';
import { Age } from '../../ui/time.tsx';
import { TenantList } from './tenant-list.tsx';

const columns: readonly TableColumn<Team>[] = [
  {
    name: 'Name',
    cell: ({ name }) => (
      <Link to="/tenants/teams/$team" params={{ team: name }}>
        {name}
      </Link>
    ),
  },
  {
    name: 'Organization',
    cell: ({ organization }) => (
      <Link to="/tenants/organizations/$organization" params={{ organization }}>
        {organization}
      </Link>
    ),
  },
  {
    name: 'Owners',
    cell: ({ members }) =>
      members
        .filter(({ role }) => role === 'owner')
        .map(({ email }) => email)
        .join(', ') || <span className="muted">none</span>,
  },
  { name: 'Members', cell: ({ members }) => members.length },
  { name: 'Age', cell: (team) => <Age time={team.created_at} /> },
];

export function TeamsTab() {
  const navigate = useNavigate();
  return (
    <TenantList
      kind={teamKind}
      path="/api/v1/teams"
      columns={columns}
      help={<p className="muted">Admins create teams, and owners of a team add you to it.</p>}
      onCreated={({ name }) => void navigate({ to: '/tenants/teams/$team', params: { team: name } })}
    />
  );
}
