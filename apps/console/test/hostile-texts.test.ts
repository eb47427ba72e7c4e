import { WholeApi } from '@platform/api/testing';
import { ConsoleBrowser, describeWhereInstalled } from './console-browser.ts';
import { makeFarm, resource, tractors, tractorsPage } from './farm.ts';

const markup = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>";
const link = "javascript:document.title='run'";

// Attack: somebody writes markup or a link that runs a script wherever others' texts are shown, and an operator opens the page.
describeWhereInstalled('texts of others in the console (skipped where Debian’s chromium is missing)', () => {
  const api = new WholeApi();
  const console = new ConsoleBrowser(api);
  const platform = '/api/v1/resources/platform.dev/v1alpha1';

  beforeAll(async () => {
    await makeFarm(api);
    const create = (path: string, kind: string, name: string, spec: object) =>
      api
        .as('operator', 'post', `${platform}/${path}`)
        .send({ apiVersion: 'platform.dev/v1alpha1', kind, metadata: { name }, spec })
        .expect(201);
    await create('organizations', 'Organization', 'markup', { displayName: markup, description: markup });
    await create('resourcedefinitions', 'ResourceDefinition', 'barns.markup.example', {
      group: 'markup.example',
      kind: 'Barn',
      plural: 'barns',
      description: markup,
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            type: 'object',
            properties: { note: { type: 'string', title: markup, description: markup } },
          },
          additionalPrinterColumns: [
            { name: markup, type: 'string', jsonPath: '.spec.note', description: markup },
            { name: 'Link', type: 'string', jsonPath: '.spec.link' },
          ],
        },
      ],
    });
    await api
      .as('operator', 'post', '/api/v1/resources/markup.example/v1/barns')
      .set('X-Change-Reason', markup)
      .set('User-Agent', markup)
      .send({
        apiVersion: 'markup.example/v1',
        kind: 'Barn',
        spec: { note: markup, link },
        metadata: { name: 'one', annotations: { 'example.dev/note': markup, 'example.dev/link': link } },
      })
      .expect(201);
    await api
      .as('operator', 'put', '/api/v1/resources/markup.example/v1/barns/one/status?slot=a.example.dev')
      .send({
        status: {
          conditions: [{ type: 'Ready', status: 'False', reason: markup, message: markup }],
          link,
        },
      })
      .expect(200);
    await api
      .as('operator', 'post', `${tractors}/acme/hill`)
      .send(resource('Tractor', 'marked', { model: markup }))
      .expect(201);
  });

  it.each([
    ['an Organization', '/tenants/organizations/markup', '<img'],
    ['kinds', '/kinds', '<img'],
    ['a table with columns', '/r/markup.example/v1/barns', '<img'],
    ['a resource', '/r/markup.example/v1/barns/one', '<img'],
    ['its YAML', '/r/markup.example/v1/barns/one?tab=yaml', '<img'],
    ['its form', '/r/markup.example/v1/barns/one?tab=yaml&as=form', '<img'],
    ['its status', '/r/markup.example/v1/barns/one?tab=status', '<img'],
    ['its history', '/r/markup.example/v1/barns/one?tab=history', '<img'],
    ['its graph', '/r/markup.example/v1/barns/one?tab=graph', 'Barn'],
    ['its explanation', '/r/markup.example/v1/barns/one?tab=explain', '<img'],
    ['its definition', '/r/platform.dev/v1alpha1/resourcedefinitions/barns.markup.example?tab=yaml', '<img'],
    ['a new one', '/new/markup.example/v1/barns/', 'New Barn'],
    ['audit records', '/ops/audit?kind=Barn', 'resource.created'],
    ['filters of the address', `${tractorsPage}?labels=${encodeURIComponent(markup)}`, 'labelSelector'],
    ['a text to find', `${tractorsPage}?find=${encodeURIComponent('<img')}`, 'marked'],
    ['a page that does not exist', `/${encodeURIComponent(markup)}`, 'The console has no such page'],
  ])('are texts on the page of %s', async (_, path, text) => {
    const page = await console.tab('operator', { allow: [400, 404] });
    if (path.startsWith('/%')) await page.goto(`${api.publicUrl}/console${path}`);
    else await console.go(page, path);
    await page.getByText(text).first().waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.locator('a[href^="javascript:" i]').count()).toBe(0);
    expect(await page.title()).not.toBe('run');
  });
});
