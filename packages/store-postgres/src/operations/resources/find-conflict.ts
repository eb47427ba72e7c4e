import type { Sql } from '@platform/postgres';
import { type CreateCommand, groupOf, nilUid } from '@platform/resources';

/** The row that conflicts with an insert: one with the same name, or one with the same discriminator; the name counts first. */
export async function findConflict(
  sql: Sql,
  command: CreateCommand,
  parentUid: string | null,
): Promise<'nameTaken' | 'discriminatorTaken' | null> {
  const [row] = await sql.rows<readonly [boolean, boolean]>(parentUid === null ? atRoot : belowParent, [
    groupOf(command.apiVersion),
    command.collection.kind,
    command.name,
    command.discriminator,
    ...(parentUid === null ? [] : [parentUid]),
  ]);
  if (row?.[0]) return 'nameTaken';
  return row?.[1] ? 'discriminatorTaken' : null;
}

/** The parent of root rows in the index over discriminators. */
const noParent = `'${nilUid}'::uuid`;

const atRoot = textOf('parent_uid is null', noParent);
const belowParent = textOf('parent_uid = $5::uuid', '$5::uuid');

function textOf(sibling: string, parent: string): string {
  return `
    select
      exists (select from resources where ${sibling} and api_group = $1::text and kind = $2::text and name = $3::text),
      exists (select from resources where discriminator = $4::text and coalesce(parent_uid, ${noParent}) = ${parent})`;
}
