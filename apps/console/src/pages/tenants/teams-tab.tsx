import { Link, useNavigate } from '@tanstack/react-router';
import { useCaller } from '../../api/queries.ts';
import { type Team, teamKind } from '../../typed/kinds/team.ts';
import { PagedTable, type TableColumn } from '../../ui/paged-table.tsx';
import { Age } from '../../ui/time.tsx';
import { CreateButton } from './create-button.tsx';

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

/** The teams that the caller belongs to; all of them for admins. */
export function TeamsTab() {
  const { data: caller } = useCaller();
  const navigate = useNavigate();
  const mayCreate = caller?.admin === true || caller?.operator === true;
  return (
    <PagedTable
      path="/api/v1/teams?limit=100"
      label="Teams"
      what="list teams"
      none="No teams yet"
      action={
        mayCreate ? (
          <CreateButton
            kind={teamKind}
            path="/api/v1/teams"
            onCreated={({ name }) => void navigate({ to: '/tenants/teams/$team', params: { team: name } })}
          />
        ) : null
      }
      keyOf={({ uid }) => uid}
      columns={columns}
    />
  );
}
