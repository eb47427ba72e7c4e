import { Problem, pointerSteps, schemaFaults } from '@platform/kernel';
import { z } from 'zod';
import { parametersIn } from '../http/query-parameters.ts';
import type { Parameter, Schema } from './documentation.ts';

/** Query parameters by name; each has `.meta({ description, example })` for the document. A parameter that is an array may be repeated. */
export type QuerySchema<T> = z.ZodObject & z.ZodType<T>;

/** The parameters as the document shows them. */
export function queryParameters(schema: z.ZodObject): readonly Parameter[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const { $schema, description, example, ...json } = z.toJSONSchema(field, {
      target: 'draft-2020-12',
      io: 'input',
      unrepresentable: 'any',
    }) as Schema & { readonly description?: string };
    const { items } = json as { readonly items?: Schema };
    return {
      name,
      in: 'query',
      description: description ?? '',
      schema: items ?? json,
      ...(field.safeParse(undefined).success ? {} : { required: true }),
      ...(example === undefined ? {} : { example }),
    };
  });
}

/** Parses a raw query. @throws `invalid_query` with every fault. */
export function parseQuery<T>(schema: QuerySchema<T>, raw: string): T {
  const sent = parametersIn(raw);
  const faults: string[] = [];
  const given: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const values = sent.getAll(name);
    if (values.length === 0) continue;
    given[name] = isList(field) ? values : values[0];
    if (!isList(field) && values.length > 1) faults.push(`Query parameter ${name} must appear once.`);
  }
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    faults.push(
      ...schemaFaults(parsed.error.issues).map(
        ({ path, message }) => `Query parameter ${pointerSteps(path)[0] ?? ''} ${message}.`,
      ),
    );
  }
  if (faults.length > 0 || !parsed.success) throw new Problem('invalid_query', faults.join(' '));
  return parsed.data;
}

/** A parameter that is `true` or `false`; false when it is absent. @throws `invalid_query` for anything else, and when it is repeated. */
export function flagOf(sent: URLSearchParams, name: string): boolean {
  const [value = 'false', ...more] = sent.getAll(name);
  if (more.length > 0) throw new Problem('invalid_query', `Query parameter ${name} must appear once.`);
  if (value === 'true' || value === 'false') return value === 'true';
  throw new Problem('invalid_query', `Query parameter ${name} must be true or false.`);
}

/** Refuses parameters that would have no effect together with others. @throws `invalid_query` with every one. */
export function refuseParameters(sent: URLSearchParams, names: readonly string[], why: string): void {
  const found = names.filter((name) => sent.has(name));
  if (found.length > 0) throw new Problem('invalid_query', found.map((name) => `${name} ${why}.`).join(' '));
}

/** Refuses parameters that the endpoint does not have: a misspelt filter would otherwise show everything. */
export function requireKnown(schema: z.ZodObject | undefined, raw: string): void {
  if (raw === '') return;
  const known = Object.keys(schema?.shape ?? {});
  const unknown = [...new Set(parametersIn(raw).keys())].filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  // Ten are enough to see the mistake, whatever a client sends.
  const names = unknown.slice(0, 10).map((name) => JSON.stringify(name.slice(0, 100)));
  const takes = known.length === 0 ? 'This endpoint takes none.' : `This endpoint takes ${known.join(', ')}.`;
  throw new Problem('invalid_query', `Unknown query parameter: ${names.join(', ')}. ${takes}`);
}

function isList(field: z.core.$ZodType): boolean {
  const { def } = field._zod;
  const wraps = def.type === 'optional' || def.type === 'default';
  return wraps ? isList((def as z.core.$ZodOptionalDef).innerType) : def.type === 'array';
}
