import { writeFileSync } from 'node:fs';
import { CliFixture } from './cli-fixture.ts';

const cli = new CliFixture();
const definitions = '/api/v1/resources/platform.dev/v1alpha1/resourcedefinitions';
const kind = `{ apiVersion: platform.dev/v1alpha1, kind: ResourceDefinition, metadata: { name: things.example.dev },
  spec: { group: example.dev, kind: Thing, plural: things, versions: [{ name: v1, served: true, storage: true }] } }`;
const thing = (name: string) =>
  `{ "apiVersion": "example.dev/v1", "kind": "Thing", "metadata": { "name": "${name}" }, "spec": { "n": 12345678901234567890 } }`;

describe('platform api', () => {
  it('sends the request, and prints the response with exact numbers', async () => {
    const created = JSON.parse(await cli.ok(['api', definitions, '-d', kind]));
    expect(created.metadata.name).toBe('things.example.dev');
    const things = '/api/v1/resources/example.dev/v1/things';
    writeFileSync(cli.path('one.json'), thing('one'));
    expect(await cli.ok(['api', things, '-f', cli.path('one.json')])).toContain(
      '    "n": 12345678901234567890\n',
    );
    await cli.ok(['api', things, '--file', '-'], { input: thing('two') });
    expect(await cli.ok(['api', `${things}?limit=1`])).toContain('"name": "one"');
    expect(await cli.ok(['api', '-X', 'delete', `${things}/two`])).toContain('"deleted": true');
    expect(await cli.ok(['api', '/metrics'])).toMatch(/^# HELP .*\n$/s);
  });

  it('fails like every command', async () => {
    const { code, out, err } = await cli.run('api /api/v1/resources/example.dev/v1/nothings');
    expect([code, out]).toEqual([5, '']);
    expect(err).toMatch(/unknown_collection/);
  });

  it.each([
    [['https://elsewhere.example/']],
    [['//elsewhere.example/']],
    [['/x', '-d', '{}', '-f', '-']],
    [['/x', '-d', '{}\n---\n{}']],
    [['/x', '-f', '/nowhere/at/all']],
  ])('rejects %j', async (words) => {
    expect((await cli.run(['api', ...words])).code).toBe(2);
  });
});
