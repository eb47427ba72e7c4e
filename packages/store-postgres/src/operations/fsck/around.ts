import { platformGroup } from '@platform/resources';
import { getTableName } from 'drizzle-orm';
import { childTables } from '../../schema/projects.ts';
import type { Check } from './check.ts';

const organizationOf = (row: string) =>
  `resources o where o.uid = ${row}.organization_resource_uid and o.kind = 'Organization' and o.api_group = '${platformGroup}'`;

/** Typed resources, the tables of one row, and the sequence of the change log. */
export const surroundingChecks: readonly Check[] = [
  {
    name: 'project_without_organization',
    invariant: 'the Organization of a project or team exists',
    text: `select p.uid, 'project ' || p.name || ': Organization ' || p.organization_resource_uid || ' is missing'
        from projects p where not exists (select from ${organizationOf('p')})
      union all
      select t.uid, 'team ' || t.name || ': Organization ' || t.organization_resource_uid || ' is missing'
        from teams t where not exists (select from ${organizationOf('t')})`,
  },
  {
    name: 'project_orphans',
    invariant: 'the resources of a project or team are deleted with it',
    text: Object.values(childTables)
      .map((table) => getTableName(table))
      .map(
        (table) => `select c.uid::text, '${table}: ' || c.name || ' of the missing project ' || c.project_uid
          from ${table} c where not exists (select from projects p where p.uid = c.project_uid)`,
      )
      .concat(
        `select m.team_uid::text, 'team_members: ' || m.email || ' of a missing team'
          from team_members m where not exists (select from teams t where t.uid = m.team_uid)`,
        `select p.uid::text, 'projects: ' || p.name || ' is owned by the missing team ' || p.owner_team
          from projects p where p.owner_team is not null and not exists (select from teams t where t.uid = p.owner_team)`,
        `select d.uid::text, 'deployments: ' || d.name || ' of the missing environment ' || d.environment
          from deployments d where not exists (
            select from environments e where (e.project_uid, e.name) = (d.project_uid, d.environment))`,
      )
      .join(' union all '),
  },
  {
    name: 'service_account_email',
    invariant: 'a service account is addressed by its project and name',
    text: `select s.uid, s.email || ': it is ' || s.name || ' of project ' || p.name
      from service_accounts s join projects p on p.uid = s.project_uid
      where s.email <> p.name || '+' || s.name || '@sa.platform.local'`,
  },
  {
    name: 'extension_client_id',
    invariant: 'an extension has the client id of its project and name, and no other extension has it',
    text: `select e.uid, 'extension ' || p.name || '/' || e.name || ': '
        || case
          when e.client_id is not null then 'its client id is ' || e.client_id
          when exists (select from extensions o where o.client_id = p.name || '-' || e.name)
            then 'another extension has its client id; create it again under another name'
          else 'the other extension with its client id was deleted; delete it and create it again, under the same name if you like'
        end
      from extensions e join projects p on p.uid = e.project_uid
      where e.client_id is distinct from p.name || '-' || e.name`,
  },
  {
    name: 'wrong_url_origin',
    invariant: 'the stored origin of a project is that of its URL, to which logins are sent',
    // Hosts with other letters are stored as the URL was written, and their origin as DNS knows it.
    text: `select p.uid, 'project ' || p.name || ': its URL is ' || p.url || ', its origin ' || p.url_origin from projects p
      where p.url ~ '^[ -~]*$' and p.url_origin <> regexp_replace(regexp_replace(
        lower(substring(p.url from '^[^:]+://[^/?#]+')), '^(http://.*):80$', '\\1'), '^(https://.*):443$', '\\1')`,
  },
  {
    name: 'missing_singleton',
    invariant:
      'the versions of definitions and of roles, the head of the change log and the leases have their rows',
    text: `select 'catalog_epoch', 'the row is missing' where not exists (select from catalog_epoch)
      union all select 'access_rules', 'the row is missing' where not exists (select from access_rules)
      union all select 'change_log', 'the row is missing' where not exists (select from change_log)
      union all select 'leases', 'the row ' || name || ' is missing' from unnest(array['collector', 'change-ticker']) as name
        where not exists (select from leases l where l.name = name.name)`,
  },
  {
    name: 'sequence_behind',
    invariant: 'the sequence of the change log is not behind its entries',
    // The position of a sequence is no part of the snapshot, so it may only be ahead of the entries that this sees.
    text: `select 'changes_seq', 'it is at ' || s.last_value || ', and the change log at ' || log.seq
      from changes_seq s, (select greatest((select max(seq) from changes), (select max(floor) from change_log)) as seq) as log
      where s.last_value < log.seq`,
  },
];
