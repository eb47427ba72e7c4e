import { useApi } from '../api.ts';

describe('kubernetes.enabled: false', () => {
  const api = useApi({ parts: { kubernetes: null } });
  const paths = [
    '/kubernetes',
    '/kubernetes/version',
    '/kubernetes/healthz',
    '/kubernetes/kubeconfig',
    '/kubernetes/api',
    '/kubernetes/apis',
    '/kubernetes/openapi/v2',
    '/kubernetes/openapi/v3',
    '/kubernetes/api/v1/namespaces',
  ];

  it.each(paths)('leaves %s out, with or without a credential', async (path) => {
    for (const as of ['operator', null]) {
      const { body } = await api.send('GET', path, as).expect(404);
      expect(body.code).toBe('unknown_endpoint');
    }
  });

  it('writes nothing either', async () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'acme' } };
    await api.send('POST', '/kubernetes/api/v1/namespaces').send(namespace).expect(404);
    await api.get('platform.dev/v1alpha1/organizations/acme').expect(404);
  });
});
