import { createSchemaValidator } from '@platform/schema-validation';
import { useApi } from '../api.ts';
import { organization } from './objects.ts';
import { certificate, gateway, sampleCertificate, sampleGateway } from './realistic-definitions.ts';

const root = '/kubernetes/apis';
const definitions = `${root}/apiextensions.k8s.io/v1/customresourcedefinitions`;

/** Definitions as generators of operators write them: the constructs are those of widely used ones, the text is our own. */
describe('definitions as operators ship them', () => {
  const schemas = createSchemaValidator({ limits: { deadlineMs: 20_000 } });
  const api = useApi({ schemas });
  afterAll(() => schemas.close());
  const send = (method: string, path: string, body?: object, type = 'application/json') => {
    const sent = api.send(method, path).set('Content-Type', type);
    return body === undefined ? sent : sent.send(JSON.stringify(body));
  };
  const gateways = `${root}/net.example.dev/v1/namespaces/acme/gateways`;
  const certificates = `${root}/certs.example.dev/v1/namespaces/acme/certificates`;

  beforeAll(async () => {
    await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
    for (const one of [gateway, certificate]) await send('POST', definitions, one).expect(201);
  });

  it.each([
    ['gateways.net.example.dev', gateway],
    ['certificates.certs.example.dev', certificate],
  ])('are shown as they were applied: %s', async (name, applied) => {
    const { body } = await send('GET', `${definitions}/${name}`).expect(200);
    expect(body.spec.versions).toEqual(applied.spec.versions);
  });

  it('take their samples, complete them, and give them back', async () => {
    const made = await send('POST', gateways, sampleGateway).expect(201);
    expect(made.body.spec).toEqual({
      ...sampleGateway.spec,
      listeners: sampleGateway.spec.listeners.map((one) => ({ allowedRoutes: { from: 'Same' }, ...one })),
    });
    const certified = await send('POST', certificates, sampleCertificate).expect(201);
    expect(certified.body.spec).toMatchObject({ ...sampleCertificate.spec, revisionHistoryLimit: 1 });
    const applied = await send(
      'PATCH',
      `${gateways}/edge?fieldManager=tool&force=true`,
      sampleGateway,
      'application/apply-patch+yaml',
    ).expect(200);
    expect(applied.body.spec).toEqual(made.body.spec);
  });

  it('serve and store their other version without conversion', async () => {
    const beta = gateways.replace('/v1/', '/v1beta1/');
    const { body } = await send('GET', `${beta}/edge`).expect(200);
    expect(body.apiVersion).toBe('net.example.dev/v1beta1');
    const written = { ...body, metadata: { ...body.metadata, labels: { written: 'beta' } } };
    await send('PUT', `${beta}/edge`, written).expect(200);
    expect((await send('GET', `${gateways}/edge`)).body.apiVersion).toBe('net.example.dev/v1');
  });

  const changed = (changes: object) => ({
    ...sampleGateway,
    metadata: { name: 'other' },
    spec: { ...sampleGateway.spec, ...changes },
  });
  const [first, second] = sampleGateway.spec.listeners;
  const refusals: readonly [what: string, spec: object, says: RegExp][] = [
    ['a rule over a list', { listeners: [{ ...first, protocol: 'TLS' }] }, /tls must be set/],
    ['a unique combination', { listeners: [first, { ...second, port: 80, protocol: 'HTTP' }] }, /unique/],
    ['keys of a list', { listeners: [first, { ...second, name: first?.name }] }, /duplicate item/],
    ['the number of items', { listeners: [] }, /spec.listeners/],
    ['an integer or a text', { infrastructure: { budget: true } }, /budget/],
    ['a pattern of an integer or a text', { infrastructure: { budget: 'half' } }, /budget/],
    ['an embedded resource', { infrastructure: { template: { kind: 'Pod' } } }, /template/],
  ];
  it.each(refusals)('enforce %s', async (_what, spec, says) => {
    const { body } = await send('POST', gateways, changed(spec)).expect(422);
    expect(body.message).toMatch(says);
  });

  it('enforce what must not change', async () => {
    const { body } = await send('GET', `${gateways}/edge`).expect(200);
    const moved = { ...body, spec: { ...body.spec, gatewayClassName: 'moved' } };
    const refused = await send('PUT', `${gateways}/edge`, moved).expect(422);
    expect(refused.body.message).toContain('gatewayClassName is immutable');
  });

  it('keep what is declared to be open, and remove everything else', async () => {
    const free = { anything: [1, { goes: true }] };
    const sent = changed({ parameters: free, unknown: 1 });
    const { body } = await send('POST', `${gateways}?fieldValidation=Ignore`, sent).expect(201);
    expect(body.spec.parameters).toEqual(free);
    expect(body.spec.unknown).toBeUndefined();
    await send('POST', `${gateways}?fieldValidation=Strict`, sent).expect(400);
  });

  it('are listed by their fields, with their columns', async () => {
    const path = `${gateways}?fieldSelector=spec.gatewayClassName%3Dinternal`;
    const table = await api
      .send('GET', path)
      .set('Accept', 'application/json;as=Table;v=v1;g=meta.k8s.io')
      .expect(200);
    const names = table.body.columnDefinitions.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['Name', 'Class', 'Address', 'Programmed', 'Age']);
    expect(table.body.rows.map(({ cells }: { cells: unknown[] }) => cells.slice(0, 2))).toEqual([
      ['edge', 'internal'],
      ['other', 'internal'],
    ]);
  });

  it('check the status that their controllers write', async () => {
    const { body } = await send('GET', `${gateways}/edge`).expect(200);
    const condition = {
      type: 'Programmed',
      status: 'True',
      reason: 'Done',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const status = { conditions: [condition], addresses: [{ value: '10.0.0.1' }] };
    await send('PUT', `${gateways}/edge/status`, { ...body, status }).expect(200);
    const bad = { ...body, status: { conditions: [{ ...condition, status: 'Maybe' }] } };
    const { body: refused } = await send('PUT', `${gateways}/edge/status`, {
      ...bad,
      metadata: {
        ...body.metadata,
        resourceVersion: (await send('GET', `${gateways}/edge`)).body.metadata.resourceVersion,
      },
    }).expect(422);
    expect(refused.message).toContain('status.conditions[0].status');
  });
});
