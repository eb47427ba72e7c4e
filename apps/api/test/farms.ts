import type { Json, TestApi } from './api.ts';
import { group, register, resource, v1 } from './kinds.ts';

export const roles = 'platform.dev/v1alpha1/roles';
export const rolebindings = 'platform.dev/v1alpha1/rolebindings';

/** The rules of a role, by default on farms and fields. */
export const rule = (verbs: readonly string[], changes: Json = {}): Json => ({
  apiGroups: [group],
  resources: ['farms', 'fields'],
  verbs,
  ...changes,
});

export const roleBody = (name: string, rules: readonly Json[]): Json => ({
  apiVersion: 'platform.dev/v1alpha1',
  kind: 'Role',
  metadata: { name },
  spec: { rules },
});

export const user = { kind: 'User', name: 'DEV@example.dev' };
/** The uid of no resource. */
export const missing = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';

export function bindingBody(
  name: string,
  role: string,
  scope: Json | null,
  subjects: readonly Json[] = [user],
): Json {
  const { apiVersion, kind, metadata } = scope ?? {};
  const reference = { apiVersion, kind, name: metadata?.name, uid: metadata?.uid };
  return {
    apiVersion: 'platform.dev/v1alpha1',
    kind: 'RoleBinding',
    metadata: { name },
    spec: { roleRef: { name: role }, subjects, ...(scope === null ? {} : { scope: reference }) },
  };
}

/** The names of the items of a list. */
export const namesIn = (body: Json) => body.items.map(({ metadata }: Json) => metadata.name);

/** The farms hill and dale with a field each, a barn, and roles. Every test begins without bindings. */
export function useFarms(api: TestApi) {
  const places: Record<'hill' | 'dale' | 'north', Json> = { hill: null, dale: null, north: null };

  beforeAll(async () => {
    await register(api, 'Farm', { allowedStatusControllerIds: ['ctrl.example.dev', 'other.example.dev'] });
    await register(api, 'Field', { parent: { apiVersion: v1, kind: 'Farm' } });
    await register(api, 'Barn');
    const create = async (path: string, body: Json) => (await api.post(path, body).expect(201)).body as Json;
    places.hill = await create(`${v1}/farms`, resource('Farm', 'hill'));
    places.dale = await create(`${v1}/farms`, resource('Farm', 'dale'));
    places.north = await create(`${v1}/fields/hill`, resource('Field', 'north'));
    await create(`${v1}/fields/dale`, resource('Field', 'south'));
    await create(`${v1}/barns`, resource('Barn', 'red'));
    const rules: Readonly<Record<string, readonly Json[]>> = {
      reader: [rule(['get', 'list'])],
      writer: [
        rule(['get', 'list', 'create', 'update', 'patch', 'delete']),
        rule(['get'], { resources: ['*/history'] }),
      ],
      admin: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
      named: [rule(['get', 'list', 'watch', 'create'], { resourceNames: ['north'] })],
      reporter: [rule(['get', 'update', 'patch'], { resources: ['farms', '*/status', '*/finalizers'] })],
    };
    for (const [name, list] of Object.entries(rules)) await api.post(roles, roleBody(name, list)).expect(201);
  });

  afterEach(async () => {
    const { body } = await api.get(rolebindings);
    for (const { metadata } of body.items) await api.delete(`${rolebindings}/${metadata.name}`).expect(200);
  });

  const bind = async (role: string, scope: Json | null = null, subjects: readonly Json[] = [user]) =>
    (
      await api
        .post(rolebindings, bindingBody(`b-${role}-${scope?.metadata.name ?? 'all'}`, role, scope, subjects))
        .expect(201)
    ).body as Json;

  /** Everything of an answer that a caller can compare. */
  async function answerTo(method: string, path: string, as = 'user', body?: unknown): Promise<string> {
    const answer = await api
      .send(method, `/api/v1/resources/${path}`, as)
      .set('X-Request-Id', 'same')
      .set('Content-Type', 'application/json')
      .send(body === undefined ? undefined : JSON.stringify(body));
    // The length differs with the path, which the body repeats as `instance`.
    const { date: _date, 'content-length': _length, ...headers } = answer.headers;
    return JSON.stringify([answer.status, headers, { ...answer.body, instance: '' }]);
  }

  return { places, bind, answerTo };
}
