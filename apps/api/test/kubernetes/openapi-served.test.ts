import { type Json, useApi } from '../api.ts';
import { crd, organization } from './objects.ts';

const prefix = '/kubernetes';
const definitions = `${prefix}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`;

describe('the OpenAPI documents of the Kubernetes API', () => {
  const api = useApi();

  beforeAll(async () => {
    await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
    const type = 'application/json';
    await api.send('POST', definitions).set('Content-Type', type).send(JSON.stringify(crd)).expect(201);
  });

  const read = async (path: string): Promise<Json> => (await api.send('GET', path).expect(200)).body;

  /** The refusal of an operation that is not served; null when it is. */
  const refusal = async (method: string, path: string, type: string | null): Promise<string | null> => {
    const item = path.replace('{namespace}', 'acme').replace('{name}', 'missing');
    // A collection is not deleted in the test.
    const query = method === 'get' ? '' : '?dryRun=All&fieldManager=test&labelSelector=a%3Db';
    const body = type === 'application/json-patch+json' ? '[]' : '{}';
    const request = api.send(method.toUpperCase(), prefix + item + query);
    const { status, body: answer } = await (type === null
      ? request
      : request.set('Content-Type', type).send(body));
    const isMissing = status === 404 && answer.message.includes('"missing" not found');
    const isServed = isMissing || ![404, 405, 415].includes(status);
    return isServed && status < 500 ? null : `${method} ${path} ${type}: ${status}`;
  };

  it('name no method and no form of a body that is not served', async () => {
    const refused: string[] = [];
    let asked = 0;
    for (const place of Object.keys((await read(`${prefix}/openapi/v3`)).paths)) {
      const { paths } = await read(`${prefix}/openapi/v3/${place}`);
      for (const [path, operations] of Object.entries<Json>(paths)) {
        for (const [method, operation] of Object.entries<Json>(operations)) {
          if (method === 'parameters') continue;
          for (const type of Object.keys(operation.requestBody?.content ?? { none: null })) {
            asked += 1;
            const one = await refusal(method, path, type === 'none' ? null : type);
            if (one !== null) refused.push(one);
          }
        }
      }
    }
    expect(refused).toEqual([]);
    expect(asked).toBeGreaterThan(100);
  });
});
