import type { Sql } from '@platform/postgres';
import type { PageOf, PageQuery, Viewer } from '@platform/projects';
import { platformGroup } from '@platform/resources';

/**
 * SQL of the names that a page of a listing is made of: those in the Organizations that the viewer sees whole (an admin the default one, an
 * operator the others), and those that the queries of `own` select. Parameters as {@link visibleList} sends them.
 *
 * Each part is read along an index of its own, and the parts that are long end after a page. One condition with "or" walked all names until
 * it had a page together: for somebody with few of 100,000 projects it touched 420,000 pages of 8 KiB; this touches some hundred, and 1,400 for an operator.
 */
export function visiblePage(table: 'projects' | 'teams', own: readonly string[]): string {
  const page = 'order by name limit $6::bigint';
  // Offset 0: a person has few projects, so they are sorted. Without it, the planner may scan all names to get the order.
  const parts = own.map(
    (query) => `(select name from (${query} offset 0) as own where name > $5::text ${page})`,
  );
  return `(
    select name from (
      select part.name from (
        select uid from resources
        where parent_uid is null and api_group = '${platformGroup}' and kind = 'Organization'
          and ($2::boolean or $3::boolean) and case when name = $4::text then $2::boolean else $3::boolean end
      ) as organization
      cross join lateral (
        select name from ${table} where organization_resource_uid = organization.uid and name > $5::text ${page}
      ) as part
      union ${parts.join('\n      union ')}
    ) as visible ${page}
  )`;
}

/** Lists pages by name with a statement that selects from a {@link visiblePage}. One more row than asked for tells whether more follow. */
export function visibleList<T>(text: string, toRecord: (row: readonly unknown[]) => T) {
  return async (
    sql: Sql,
    { email, admin, operator }: Viewer,
    defaultOrganization: string,
    { after, limit }: PageQuery,
  ): Promise<PageOf<T>> => {
    const rows = await sql.rows(text, [email, admin, operator, defaultOrganization, after ?? '', limit + 1]);
    return { items: rows.slice(0, limit).map(toRecord), more: rows.length > limit };
  };
}
