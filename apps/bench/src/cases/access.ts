import type { BenchCase, Load } from '../bench-case.ts';
import type { Fixture } from '../fixture/fixture.ts';
import { apiVersion, group, kindAt, pathOf } from '../fixture/kinds.ts';
import { boundUser } from '../fixture/settings.ts';
import { newUidInSql } from '../fixture/uids.ts';
import { driveHttp } from '../load/http.ts';

/** Bindings of others, each with a scope. */
const others = 1_000;
const kind = kindAt(1);

/** Reads below one root, which is the scope of the bound caller. */
const ways = [
  {
    name: 'read item',
    paths: Array.from({ length: 100 }, (_, i) => pathOf(kind, 'root-1', `item-${i + 1}`)),
  },
  { name: 'list page of 100', paths: [`${pathOf(kind, 'root-1')}?limit=100`] },
];

/** The name of a case with its caller. */
export const accessCase = (
  way: 'read item' | 'list page of 100',
  caller: 'no bindings' | 'operator among bindings' | 'bound user',
) => `access: ${way}, ${caller}`;

/** Each read without any binding, as an operator among bindings of others, and as a user with a scope. The three are neighbours in a round. */
export const accessCases: readonly BenchCase[] = ways.flatMap(({ name, paths }) => {
  const way = name as Parameters<typeof accessCase>[0];
  const baseline = accessCase(way, 'no bindings');
  const read = (fixture: Fixture, load: Load, session: string) =>
    driveHttp(fixture.programs.api, {
      ...load,
      headers: { authorization: `Bearer ${session}` },
      requests: () => paths.map((path) => ({ method: 'GET', path })),
    });
  // The API reads all bindings at the first request after one has changed.
  const drive = async (fixture: Fixture, load: Load, session: string) => {
    await read(fixture, { connections: 1, seconds: 0.5 }, session);
    return await read(fixture, load, session);
  };
  return [
    {
      name: baseline,
      async run(fixture, load) {
        await unbind(fixture);
        return await drive(fixture, load, fixture.api.session);
      },
    },
    {
      name: accessCase(way, 'operator among bindings'),
      baseline,
      async run(fixture, load) {
        await bind(fixture);
        const sample = await drive(fixture, load, fixture.api.session);
        await unbind(fixture);
        return sample;
      },
    },
    {
      name: accessCase(way, 'bound user'),
      baseline,
      async run(fixture, load) {
        await bind(fixture);
        const sample = await drive(fixture, load, fixture.boundSession);
        await unbind(fixture);
        return sample;
      },
    },
  ];
});

async function unbind({ sql }: Fixture): Promise<void> {
  await sql`delete from resources where kind = 'RoleBinding' and api_group = 'platform.dev'`;
}

/** A binding of the user in one root, and those of others, in all roots. */
async function bind(fixture: Fixture): Promise<void> {
  await unbind(fixture);
  const role = { rules: [{ apiGroups: [group], resources: ['*'], verbs: ['get', 'list'] }] };
  await fixture.sql.unsafe(insert, ['Role', JSON.stringify(role), 1, '']);
  await fixture.sql.unsafe(insert, ['RoleBinding', bindingOf(boundUser), 1, 'root-1']);
  await fixture.sql.unsafe(insert, ['RoleBinding', bindingOf('user-@bench.example'), others, '']);
}

/** A binding but for its scope; the statement puts a number behind `user-`. */
function bindingOf(user: string): string {
  return JSON.stringify({ roleRef: { name: 'bench-role-1' }, subjects: [{ kind: 'User', name: user }] });
}

/** $1 is the kind, $2 the spec, $3 how many, and $4 the root of the scope, or nothing for each root in turn. */
const insert = `
  insert into resources (uid, api_version, kind, name, discriminator, spec)
  select ${newUidInSql}, 'platform.dev/v1alpha1', $1::text, 'bench-' || lower($1::text) || case $4::text when '' then '-' else '-own-' end || i,
    substr(md5($4::text || i), 1, 8),
    case $1::text when 'Role' then $2::text::jsonb else
      replace($2::text, 'user-@', 'user-' || i || '@')::jsonb || jsonb_build_object('scope', jsonb_build_object(
        'apiVersion', '${apiVersion}', 'kind', 'Level0', 'name', root.name, 'uid', root.uid)) end::json
  from generate_series(1, $3::int) as i
  join resources as root on root.kind = 'Level0'
    and root.name = case $4::text when '' then 'root-' || (1 + i % 100) else $4::text end
  on conflict do nothing`;
