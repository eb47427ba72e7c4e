import type { Fault } from '@platform/kernel';
import type { SchemaValidator } from '@platform/resources';

interface Schema {
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
}

const types: ReadonlySet<string | undefined> = new Set([undefined, 'object', 'string', 'number']);

/** Knows `type`, `required` and one level of `properties`: enough to see where validation happens and how faults travel. */
export const fakeSchemas: SchemaValidator = {
  async check(text) {
    const { type } = JSON.parse(text) as Schema;
    return types.has(type) ? [] : [{ path: '/type', message: 'is not a type' }];
  },
  async validate({ schema }, { value }) {
    const { required = [], properties = {} } = JSON.parse(schema) as Schema;
    const spec = value as Record<string, unknown>;
    const faults: Fault[] = required
      .filter((name) => !Object.hasOwn(spec, name))
      .map((name) => ({ path: `/${name}`, message: 'is required' }));
    for (const [name, { type }] of Object.entries(properties)) {
      if (Object.hasOwn(spec, name) && typeof spec[name] !== type) {
        faults.push({ path: `/${name}`, message: `must be a ${type}` });
      }
    }
    return faults;
  },
  async close() {},
};
