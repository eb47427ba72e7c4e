import type { Project, ProjectDraft } from '@platform/projects';
import type { Sql } from '../../connection.ts';
import { arrayLiteral } from '../../literals.ts';
import { findProject } from './find.ts';
import { findOwnerTeam } from './owner-team.ts';

const text = `
update projects
set access_class = $2::text, url = $3::text, url_origin = $4::text, custom_domains = $5::text[],
  owner_user = $6::text, owner_team = $7::uuid, members = $8::text[]
where uid = $1::uuid
returning uid`;

/** Replaces what may change of a project. */
export async function replaceProjectRow(
  sql: Sql,
  draft: ProjectDraft,
): Promise<{ outcome: 'replaced'; record: Project } | { outcome: 'missing' | 'teamMissing' }> {
  const team = await findOwnerTeam(sql, draft.owner);
  if (team === undefined) return { outcome: 'teamMissing' };
  const updated = await sql.rows(text, [
    draft.uid,
    draft.accessClass,
    draft.url,
    new URL(draft.url).origin,
    arrayLiteral(draft.customDomains),
    'user' in draft.owner ? draft.owner.user : null,
    team,
    arrayLiteral(draft.members),
  ]);
  const record = updated.length === 0 ? null : await findProject(sql, draft.name);
  return record === null ? { outcome: 'missing' } : { outcome: 'replaced', record };
}
