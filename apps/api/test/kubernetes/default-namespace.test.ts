import { useApi } from '../api.ts';
import { organization } from './objects.ts';

describe('the namespace of the default Organization', () => {
  const api = useApi({ parts: { kubernetes: { url: null, authority: null, lastingNamespace: 'default' } } });
  const remove = (name: string, user = 'operator') =>
    api.send('DELETE', `/kubernetes/api/v1/namespaces/${name}`, user);

  it('stays, since the platform does not start without it, and others can be deleted', async () => {
    for (const name of ['default', 'other'])
      await api.post('platform.dev/v1alpha1/organizations', organization(name)).expect(201);
    const { body } = await remove('default').expect(409);
    expect(body.message).toContain('namespaces "default": this namespace may not be deleted');
    expect((await remove('default', 'user').expect(403)).body.message).toContain('cannot delete resource');
    await api.send('GET', '/kubernetes/api/v1/namespaces/default').expect(200);
    await remove('other').expect(200);
  });
});
