import { testDatabase } from '@platform/development/testing';
import type { DefinitionSource } from '@platform/resources';
import { createSchemaValidator } from '@platform/schema-validation';
import { migrate, openStore } from '@platform/store-postgres';
import { type Json, TestApi } from './api.ts';
import { definitions, given, group, register, resource, sentBack, v1 } from './kinds.ts';
import type { StoreOpener } from './stores.ts';

/** Two replicas on one database, with a count of what each asks about definitions. */
function replicas() {
  const asked = { load: 0, version: 0 };
  const schemas = createSchemaValidator();
  let store: StoreOpener = () => {
    throw new Error('only after beforeAll');
  };
  const one = new TestApi({ store: (clock) => store(clock), schemas });
  const other = new TestApi({ store: (clock) => store(clock), schemas });
  afterAll(async () => {
    await Promise.all([one.stop(), other.stop()]);
    await schemas.close();
  });
  const database = testDatabase({ migrate: (url) => migrate({ url }) });
  beforeAll(async () => {
    store = () => {
      const {
        reader,
        history,
        removed,
        writer,
        transactions,
        plans,
        definitions: source,
        access,
        close,
      } = openStore({ url: database.url, poolMax: 4 });
      const counted: DefinitionSource = {
        load: (...wanted) => {
          asked.load += 1;
          return source.load(...wanted);
        },
        version: (...wanted) => {
          asked.version += 1;
          return source.version(...wanted);
        },
        catalogVersion: () => source.catalogVersion(),
        storedVersions: (plurals) => source.storedVersions(plurals),
      };
      return {
        reader,
        history,
        removed,
        writer,
        transactions,
        plans,
        access,
        close,
        definitions: counted,
        removeRow: async () => {},
      };
    };
    await one.start();
    await other.start();
  });
  return { one, other, database, asked };
}

const redefine = async (api: TestApi, kind: string, changes: Json) => {
  const at = `${definitions}/${kind.toLowerCase()}s.${group}`;
  const { body } = await api.get(at).expect(200);
  return (await api.put(at, sentBack(body, { spec: { ...body.spec, ...changes } })).expect(200)).body;
};
const withSchema = (schema: object | undefined) => ({
  versions: [{ name: 'v1', served: true, storage: true, ...(schema === undefined ? {} : { schema }) }],
});

describe('after a failover that lost the last change of a definition', () => {
  const { one, other, database } = replicas();
  const farms = `${v1}/farms`;

  /** Puts the rows of definitions back as they were, as a standby without the last change, or a restore, does. */
  async function backAndForth(change: () => Promise<unknown>): Promise<void> {
    await database.sql`create table saved as select * from resources where definition_kind is not null`;
    await change();
    await database.sql.begin(async (sql) => {
      await sql`alter table resources disable trigger user`;
      await sql`update resources r set spec = s.spec, revision = s.revision, generation = s.generation,
        definition_version = s.definition_version from saved s where s.uid = r.uid`;
      await sql`alter table resources enable trigger user`;
    });
    await database.sql`drop table saved`;
  }

  it('replicas go on at once, with the definition that is stored', async () => {
    await register(one, 'Farm');
    await backAndForth(async () => {
      await redefine(one, 'Farm', withSchema({ type: 'object', required: ['secure'] }));
      for (const api of [one, other]) await api.post(farms, resource('Farm', 'bare')).expect(400);
    });
    await one.get(farms).expect(200);
    await other.post(farms, resource('Farm', 'a')).expect(201);
    await one.post(farms, resource('Farm', 'b')).expect(201);
  });

  it('a revision that is given again to another schema enforces that one', async () => {
    const lost = { type: 'object', required: ['lost'] };
    let revisionOfLost = 0;
    await backAndForth(async () => {
      revisionOfLost = (await redefine(one, 'Farm', withSchema(lost))).metadata.revision;
      for (const api of [one, other]) await api.post(farms, resource('Farm', 'x')).expect(400);
    });
    const restored = await redefine(other, 'Farm', withSchema({ type: 'object', required: ['kept'] }));
    expect(restored.metadata.revision).toBe(revisionOfLost);
    for (const [index, api] of [one, other].entries()) {
      await api.post(farms, resource('Farm', `lost${index}`, { spec: { lost: 1 } })).expect(400);
      await api.post(farms, resource('Farm', `kept${index}`, { spec: { kept: 1 } })).expect(201);
    }
  });

  it('a revoked controller stays revoked, and one that lost its grant may not write', async () => {
    await given(one, 'Farm', ['watched'], { spec: { kept: 1 } });
    const status = (api: TestApi) => api.put(`${farms}/watched/status`, { status: 1 }, 'controller');
    await backAndForth(async () => {
      await redefine(one, 'Farm', { allowedStatusControllerIds: ['ctrl.example.dev'] });
      for (const api of [one, other]) await status(api).expect(200);
    });
    for (const api of [one, other]) await status(api).expect(403);
  });
});

describe('while definitions of other kinds change all the time', () => {
  const { one, other, asked } = replicas();

  it('no request is repeated, delayed or refused, whatever it is', async () => {
    await register(one, 'Farm');
    await register(one, 'Field', { parent: { apiVersion: v1, kind: 'Farm' } });
    await register(one, 'Noise');
    await given(one, 'Farm', ['hill']);
    await given(one, 'Field', ['hill', 'west']);
    const field = `${v1}/fields/hill/west`;
    for (const api of [one, other]) await api.get(field).expect(200);

    let editing = true;
    let edits = 0;
    const editor = (async () => {
      while (editing) {
        edits += 1;
        await redefine(other, 'Noise', { allowedStatusControllerIds: [`ctrl${edits}`] });
        await register(other, `Passing${edits}`);
        await other.delete(`${definitions}/passing${edits}s.${group}`).expect(200);
      }
    })();
    const before = { ...asked };
    const rounds = 40;
    let refusals = 0;
    for (let round = 0; round < rounds; round += 1) {
      const refused = (request: Promise<unknown>) => {
        refusals += 1;
        return request;
      };
      await Promise.all([
        one.get(field).expect(200),
        one.get(`${v1}/fields/hill`).expect(200),
        one.put(`${field}/status`, { status: round }).expect(200),
        one
          .put(`${field}/finalizers`, { add: [`x/${round % 2}`], remove: [`x/${(round + 1) % 2}`] })
          .expect(200),
        one.post(`${v1}/fields/hill`, resource('Field', `n${round}`)).expect(201),
        refused(one.post(`${v1}/fields/hill`, resource('Field', 'west')).expect(409)),
        refused(one.get(`${v1}/fields/hill/absent`).expect(404)),
      ]);
      const { body } = await one.get(`${v1}/fields/hill/n${round}`).expect(200);
      await one.put(`${v1}/fields/hill/n${round}`, sentBack(body, { spec: { round } })).expect(200);
      await one.delete(`${v1}/fields/hill/n${round}`).expect(200);
      await one.get(`${v1}/ghosts`).expect(404);
    }
    editing = false;
    await editor;
    expect(edits).toBeGreaterThan(3);
    // The editor reads built-in kinds only; a repeated request would have loaded its definition again.
    expect(asked.load - before.load).toBe(rounds);
    expect(asked.version - before.version).toBe(refusals);
  });
});
