import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useCaller } from '../../api/queries.ts';
import { DeleteDialog } from '../../typed/delete-dialog.tsx';
import { EditDialog } from '../../typed/edit-dialog.tsx';
import type { Project } from '../../typed/kinds/project.ts';
import { type Team, teamKind } from '../../typed/kinds/team.ts';
import { useFew, useItem } from '../../typed/use-item.ts';
import { Crumbs } from '../../ui/crumbs.tsx';
import { ItemActions } from '../../ui/item-actions.tsx';
import { Page } from '../../ui/page.tsx';
import { DataTable } from '../../ui/paged-table.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { ItemFacts } from '../projects/item-facts.tsx';
import { ListOf } from './of-organization.tsx';

/** A team with its members and the projects that it owns. */
export function TeamPage() {
  const { team: name = '' } = useParams({ strict: false });
  const { data: caller } = useCaller();
  const navigate = useNavigate();
  const path = `/api/v1/teams/${encodeURIComponent(name)}`;
  const team = useItem<Team>(path);
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const own = team.data?.members.find(({ email }) => email === caller?.email.toLowerCase());
  const mayChange = caller?.admin === true || caller?.operator === true || own?.role === 'owner';
  return (
    <Page
      title={name}
      tab={`${name}, team`}
      crumbs={
        <Crumbs>
          <Link to="/tenants" search={{ tab: 'teams' }}>
            Teams
          </Link>
        </Crumbs>
      }
      actions={
        team.data !== undefined && mayChange ? (
          <ItemActions onEdit={() => setDialog('edit')} onDelete={() => setDialog('delete')} />
        ) : null
      }
    >
      {team.error !== null ? (
        <Failure error={team.error} what="see this team" retry={() => void team.refetch()} />
      ) : team.data === undefined ? (
        <Loading />
      ) : (
        <div className="stack">
          <ItemFacts item={team.data} facts={[['Organization', <Organization key="o" team={team.data} />]]} />
          <DataTable
            items={team.data.members}
            label={`Members of ${name}`}
            none="Nobody belongs to this team"
            keyOf={({ email }) => email}
            columns={[
              { name: 'Member', cell: ({ email }) => email },
              { name: 'Role', cell: ({ role }) => role },
            ]}
          />
          <ListOf<Project>
            title="Projects that it owns"
            path="/api/v1/projects"
            belongs={(project) => isOwned(project, name)}
            row={(project) => (
              <Link to="/tenants/$project" params={{ project: project.name }}>
                {project.name}
              </Link>
            )}
          />
        </div>
      )}
      {dialog === 'edit' ? <EditDialog kind={teamKind} path={path} name={name} onClose={close} /> : null}
      {dialog === 'delete' && team.data !== undefined ? (
        <DeleteTeam
          team={team.data}
          path={path}
          onClose={close}
          onDeleted={() => void navigate({ to: '/tenants', search: { tab: 'teams' } })}
        />
      ) : null}
    </Page>
  );
}

function isOwned({ owner }: Project, team: string): boolean {
  return 'team' in owner && owner.team === team;
}

function Organization({ team: { organization } }: { readonly team: Team }) {
  return (
    <Link to="/tenants/organizations/$organization" params={{ organization }}>
      {organization}
    </Link>
  );
}

/** A team that owns projects stays, so the dialog names them first. */
function DeleteTeam({
  team,
  ...dialog
}: {
  readonly team: Team;
  readonly path: string;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}) {
  const projects = useFew<Project>('/api/v1/projects');
  const owned = projects.data?.items.filter((project) => isOwned(project, team.name)) ?? [];
  return (
    <DeleteDialog
      noun="team"
      item={team}
      isBlocked={projects.isPending || owned.length > 0}
      needsName
      {...dialog}
    >
      {owned.length > 0 ? (
        <div className="banner">
          <div>
            <strong>The team owns projects. Give them another owner first:</strong>
            <ul>
              {owned.map(({ uid, name }) => (
                <li key={uid}>{name}</li>
              ))}
            </ul>
          </div>
        </div>
      ) : (
        <p>It owns no project. Its {team.members.length} members lose nothing else.</p>
      )}
    </DeleteDialog>
  );
}
