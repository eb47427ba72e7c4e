import { driveHttp } from '../load/http.ts';
import { apiVersion, note, pathOf, spec } from '../stage/kinds.ts';
import { removeRows } from '../stage/remove-rows.ts';
import type { BenchCase } from './case.ts';

const prepared = 30_000;

/** Deletes of live rows that nothing depends on. */
export const deleteLeaf: BenchCase = {
  name: 'delete leaf',
  floor: 'floor: INSERT',
  ofTable: true,
  async run({ api, programs, sql }, load) {
    const run = Math.random().toString(36).slice(2, 8);
    const wanted = Math.min(prepared, Math.ceil(8_000 * load.seconds));
    await sql.unsafe(prepare, [apiVersion, spec, wanted, `gone-${run}-`]);
    const headers = { authorization: `Bearer ${api.session}` };
    let turn = 0;
    // Path by path; behind the last one the first row again, which is gone: a failure that is seen.
    const next = (request: object) => {
      turn += 1;
      return { ...request, path: pathOf(note, 'root-3', `gone-${run}-${Math.min(turn, wanted)}`) };
    };
    try {
      return await driveHttp(programs.api, {
        ...load,
        headers,
        requests: () => [{ method: 'DELETE', setupRequest: next }],
      });
    } finally {
      await removeRows(sql, note.kind, `gone-${run}-`);
    }
  },
};

const prepare = `
  insert into resources (uid, parent_uid, api_version, kind, name, discriminator, spec)
  select gen_random_uuid(), parent.uid, $1::text, 'Note', $4::text || i, 'x' || lpad(to_hex(i), 7, '0'), $2::text::json
  from generate_series(1, $3::int) as i, resources as parent where parent.kind = 'Level0' and parent.name = 'root-3'`;
