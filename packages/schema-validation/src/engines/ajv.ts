import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { canonical, isObject, type Json, step } from '../json.ts';
import type { Pattern } from '../patterns/pattern.ts';
import type { FlatSchema } from '../schema/flatten.ts';
import type { Evaluate, Failure } from './faults.ts';
import { formatChecks } from './formats.ts';
import { isMultipleOf } from './multiple-of.ts';

/**
 * Compiles with ajv. Each schema gets its own instance, because instances keep every schema that they have compiled. Replaces
 * `multipleOf`, `uniqueItems`, `enum` and `const`: the versions of ajv divide binary floats, compare every pair of items, and call
 * `valueOf` of the document.
 */
export function compileAjv({ schema }: FlatSchema, patterns: ReadonlyMap<string, Pattern>): Evaluate {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    // A number beyond the range of a double, such as 1e400, is parsed as Infinity and is still a number.
    strictNumbers: false,
    validateSchema: false,
    meta: false,
    logger: false,
    // Inlining would copy a referenced schema at every reference.
    inlineRefs: false,
    messages: false,
    verbose: true,
    code: { regExp: Object.assign((source: string) => patterns.get(source) as Pattern, { code: 'pattern' }) },
  });
  for (const [name, validate] of formatChecks) ajv.addFormat(String(name), { type: 'string', validate });
  for (const keyword of ['multipleOf', 'uniqueItems', 'enum', 'const']) ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    compile: (divisor: number) => (value: number) => isMultipleOf(value, divisor),
  });
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    compile: (unique: boolean) => (items: Json[]) => !unique || areUnique(items),
  });
  ajv.addKeyword({ keyword: 'enum', schemaType: 'array', compile: memberOf });
  ajv.addKeyword({ keyword: 'const', compile: (value: Json) => memberOf([value]) });
  const validate = ajv.compile(schema as boolean);
  return (value) => (validate(value) ? [] : failures(validate.errors ?? []));
}

function areUnique(items: readonly Json[]): boolean {
  return new Set(items.map(canonical)).size === items.length;
}

function memberOf(values: readonly Json[]): (value: unknown) => boolean {
  const scalars = new Set<unknown>(values.filter((value) => typeof value !== 'object' || value === null));
  const others = new Set(values.filter((value) => !scalars.has(value)).map(canonical));
  return (value) =>
    typeof value !== 'object' || value === null
      ? scalars.has(value)
      : others.size > 0 && others.has(canonical(value));
}

/** Lazy, because only the first of possibly a million errors are used. */
function* failures(errors: readonly ErrorObject[]): Generator<Failure> {
  for (const error of errors) yield toFailure(error);
}

function toFailure({ keyword, instancePath, parentSchema, params, propertyName }: ErrorObject): Failure {
  const { missingProperty, additionalProperty, property } = params;
  return {
    path: propertyName === undefined ? instancePath : step(instancePath, propertyName),
    keyword,
    schema: isObject(parentSchema) ? parentSchema : undefined,
    member: missingProperty ?? additionalProperty,
    because: keyword === 'dependentRequired' ? property : undefined,
    inName: propertyName !== undefined,
  };
}
