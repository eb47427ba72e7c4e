import { writeFileSync } from 'node:fs';
import { CliWorld } from './world.ts';

const world = new CliWorld();
const definitions = '/api/v1/resources/platform.dev/v1alpha1/resourcedefinitions';
const kind = `{ apiVersion: platform.dev/v1alpha1, kind: ResourceDefinition, metadata: { name: things.example.dev },
  spec: { group: example.dev, kind: Thing, plural: things, versions: [{ name: v1, served: true, storage: true }] } }`;
const thing = (name: string) =>
  `{ "apiVersion": "example.dev/v1", "kind": "Thing", "metadata": { "name": "${name}" }, "spec": { "n": 12345678901234567890 } }`;

describe('platform api', () => {
  it('sends what it is given, and prints the answer to the digit', async () => {
    const created = JSON.parse(await world.ok(['api', definitions, '-d', kind]));
    expect(created.metadata.name).toBe('things.example.dev');
    const things = '/api/v1/resources/example.dev/v1/things';
    writeFileSync(world.path('one.json'), thing('one'));
    expect(await world.ok(['api', things, '-f', world.path('one.json')])).toContain(
      '    "n": 12345678901234567890\n',
    );
    await world.ok(['api', things, '--file', '-'], { input: thing('two') });
    expect(await world.ok(['api', `${things}?limit=1`])).toContain('"name": "one"');
    expect(await world.ok(['api', '-X', 'delete', `${things}/two`])).toContain('"deleted": true');
    expect(await world.ok(['api', '/metrics'])).toMatch(/^# HELP .*\n$/s);
  });

  it('fails as every command does', async () => {
    const { code, out, err } = await world.run('api /api/v1/resources/example.dev/v1/nothings');
    expect([code, out]).toEqual([5, '']);
    expect(err).toMatch(/unknown_collection/);
  });

  it.each([
    [['https://elsewhere.example/']],
    [['//elsewhere.example/']],
    [['/x', '-d', '{}', '-f', '-']],
    [['/x', '-d', '{}\n---\n{}']],
    [['/x', '-f', '/nowhere/at/all']],
  ])('refuses %j', async (words) => {
    expect((await world.run(['api', ...words])).code).toBe(2);
  });
});
