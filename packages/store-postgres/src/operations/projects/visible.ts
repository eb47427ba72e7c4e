import type { PageQuery, Viewer } from '@platform/projects';
import type { Parameter } from '../../connection.ts';

/**
 * Which Organizations a viewer sees whole: an admin the default one, an operator the others. Parameters 1 to 3 of a listing are the
 * viewer's address and the two; `o` is the Organization.
 */
export const seesOrganization = `case when o.name = $4::text then $2::boolean else $3::boolean end`;

/** The parameters of a listing by name: viewer, default Organization, page. One more row than asked for tells whether more follow. */
export function listParameters(
  viewer: Viewer,
  defaultOrganization: string,
  page: PageQuery,
): readonly Parameter[] {
  return [viewer.email, viewer.admin, viewer.operator, defaultOrganization, page.after ?? '', page.limit + 1];
}
