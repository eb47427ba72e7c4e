import { type Fault, invalid, Problem } from '@platform/kernel';
import { type JsonValue, renderValue } from '@platform/resources';
import type { KubernetesDeps, ObjectRequest } from './object-request.ts';

/** Items of lists of type `map` with equal keys. They are found before the resource API validates the object, so its faults are added. */
export class DuplicateKeys extends Problem {
  readonly #faults: readonly Fault[];
  readonly #object: JsonValue;

  /** `object` is whole, and not a configuration of a server-side apply. */
  constructor(faults: readonly Fault[], object: JsonValue) {
    const { message, errors = [] } = invalid(faults, 'schema_violation');
    super('schema_violation', message, { errors });
    this.#faults = faults;
    this.#object = object;
  }

  /** The refusal with every fault of the spec. */
  async withOthers(
    { ports }: Pick<KubernetesDeps, 'ports'>,
    { schemas }: Pick<ObjectRequest, 'schemas'>,
  ): Promise<Problem> {
    const object = this.#object instanceof Map ? this.#object : new Map<string, JsonValue>();
    const spec = object.get('spec');
    if (schemas.spec === null || !(spec instanceof Map)) return this;
    const text = renderValue(spec);
    const found = await ports.schemas.validate(schemas.spec, { value: JSON.parse(text), text });
    const others = found.map((fault) => ({ ...fault, path: `/spec${fault.path}` }));
    return invalid([...others, ...this.#faults], 'schema_violation');
  }
}
