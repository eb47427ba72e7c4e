import type { Fault } from '@platform/kernel';

/** The values of a Secret, base64 by key. */
type Data = Readonly<Record<string, unknown>>;

/** The rules of the types of Secrets that Kubernetes knows; other types may have any keys. */
const rules: ReadonlyMap<string, (data: Data) => readonly Fault[]> = new Map([
  ['kubernetes.io/tls', (data) => [...missing(data, 'tls.crt'), ...missing(data, 'tls.key')]],
  ['kubernetes.io/dockerconfigjson', (data) => jsonFaults(data, '.dockerconfigjson')],
  ['kubernetes.io/dockercfg', (data) => jsonFaults(data, '.dockercfg')],
  ['kubernetes.io/basic-auth', loginFaults],
  [
    'kubernetes.io/ssh-auth',
    (data) =>
      data['ssh-privatekey'] === '' ? [required('ssh-privatekey')] : missing(data, 'ssh-privatekey'),
  ],
]);

/** The keys that the type of a Secret requires and that are missing or have another content, as in Kubernetes. */
export function secretTypeFaults(type: string, data: Data | null | undefined): readonly Fault[] {
  return rules.get(type)?.(data ?? {}) ?? [];
}

const pathOf = (key: string) => `/spec/data/${key}`;
const required = (key: string): Fault => ({
  path: pathOf(key),
  message: 'is required',
  reason: 'FieldValueRequired',
});

function missing(data: Data, key: string): readonly Fault[] {
  return Object.hasOwn(data, key) ? [] : [required(key)];
}

/** One of both is enough. */
function loginFaults(data: Data): readonly Fault[] {
  const faults = [...missing(data, 'username'), ...missing(data, 'password')];
  return faults.length === 2 ? faults : [];
}

function jsonFaults(data: Data, key: string): readonly Fault[] {
  if (!Object.hasOwn(data, key)) return [required(key)];
  try {
    JSON.parse(
      new TextDecoder().decode(Uint8Array.from(atob(String(data[key])), (one) => one.charCodeAt(0))),
    );
    return [];
  } catch {
    // The message of the parser would show a part of the value.
    return [{ path: pathOf(key), message: 'must be JSON' }];
  }
}
