import { type Json, useApi } from '../api.ts';
import { describeWith, KubernetesClients } from './kubernetes-clients.ts';

const apiVersion = 'platform.dev/v1alpha1';
const subscriptions = `/kubernetes/apis/${apiVersion}/subscriptions`;
const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
const key = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const url = 'https://hooks.example.dev/x';

const object = (kind: string, name: string, spec?: Json): Json => ({
  apiVersion,
  kind,
  metadata: { name },
  ...(spec === undefined ? {} : { spec }),
});
/** Each kind of the platform that Kubernetes does not have itself; `word` is a part that changes. */
const objects = (word: string): readonly Json[] => [
  object('Role', 'readers', { rules: [{ apiGroups: [word], resources: ['lamps'], verbs: ['get'] }] }),
  object('RoleBinding', 'readers', {
    roleRef: { name: 'readers' },
    subjects: [{ kind: 'Group', name: word }],
  }),
  { ...object('Organization', 'lights'), metadata: { name: 'lights', labels: { word } } },
  object('ResourceDefinition', 'lamps.example.dev', {
    ...{ group: 'example.dev', kind: 'Lamp', plural: 'lamps', description: word },
    versions: [{ name: 'v1', served: true, storage: true }],
  }),
  object('Subscription', 'lamps', { url: `${url}/${word}`, secret: key }),
];

describe('the kinds of the platform in the Kubernetes API', () => {
  const api = useApi();
  const send = (method: string, path: string, body: Json, type: string) =>
    api.send(method, path).set('Content-Type', type).send(JSON.stringify(body));

  it('take strategic merge patches, as their OpenAPI document says', async () => {
    await send(
      'POST',
      subscriptions,
      object('Subscription', 'all', { url, secret: key }),
      'application/json',
    ).expect(201);
    const patch = { metadata: { labels: { tier: 'a' } }, spec: { selector: { kinds: ['Lamp'] } } };
    const strategic = 'application/strategic-merge-patch+json';
    const { body } = await send('PATCH', `${subscriptions}/all`, patch, strategic).expect(200);
    expect([body.metadata.labels, body.spec]).toEqual([
      { tier: 'a' },
      { url, selector: { kinds: ['Lamp'] } },
    ]);
  });

  it('keep no key of a Subscription in the annotation of kubectl apply, which still goes over to server-side apply', async () => {
    const applied = object('Subscription', 'keyed', { url, secret: key });
    const annotations = { [annotation]: `${JSON.stringify(applied)}\n` };
    const sent = { ...applied, metadata: { name: 'keyed', annotations } };
    const stored = `${JSON.stringify(object('Subscription', 'keyed', { url, secret: '' }))}\n`;
    const { body: created } = await send('POST', subscriptions, sent, 'application/json').expect(201);
    expect(created.metadata.annotations).toEqual({ [annotation]: stored });
    for (const part of ['', '/history?full=true', '/history/1']) {
      const { text } = await api.get(`${apiVersion}/subscriptions/keyed${part}`).expect(200);
      expect(text).not.toContain(key);
    }
    const path = `${subscriptions}/keyed?fieldManager=kubectl`;
    const next = object('Subscription', 'keyed', { url, secret: `${key.slice(0, -1)}B` });
    await send('PATCH', path, next, 'application/apply-patch+yaml').expect(200);
  });

  describeWith('kubectl')('kubectl (skipped where it is not installed)', () => {
    const clients = new KubernetesClients(api);

    it('applies them, and applies what has changed', async () => {
      await clients.kubectl('apply', '-f', clients.file('first.json', ...objects('first')));
      const second = clients.file('second.json', ...objects('second'));
      const output = await clients.kubectl('apply', '-f', second);
      expect(output.match(/configured/g)).toHaveLength(5);
      const shown = await clients.kubectl(
        'get',
        'roles,rolebindings,resourcedefinitions,subscriptions,organizations',
        '-o',
        'json',
      );
      expect(shown).not.toContain(key);
      for (const { kind, metadata, spec } of JSON.parse(shown).items as Json[]) {
        if (!objects('').some((one) => one.kind === kind && one.metadata.name === metadata.name)) continue;
        expect(JSON.stringify({ labels: metadata.labels, spec })).toContain('second');
      }
    });
  });
});
