import { dnsLabelPattern, isPlainObject } from '@platform/kernel';
import { z } from 'zod';

const label = z.string().regex(dnsLabelPattern, 'must be a DNS label');

function distinct<T extends z.ZodType>(items: T, max: number) {
  return z
    .array(items)
    .max(max, `must have at most ${max} entries`)
    .refine(
      (list) => new Set(list.map((item) => JSON.stringify(item))).size === list.length,
      'must name each once',
    )
    .optional();
}

/** How people name a kind, as in a CustomResourceDefinition. */
export const kindNames = {
  singular: label.optional(),
  shortNames: distinct(label, 20),
  categories: distinct(label, 20),
  description: z.string().max(4096, 'must have at most 4096 characters').optional(),
};

const step = String.raw`(?:\.(?:[A-Za-z_$](?:[\w$/-]|\\\.)*|\*)|\[(?:\d+|\*|'[^'\]]+'|"[^"\]]+"|\?\(@(?:\.[A-Za-z_][\w-]*)+ ?== ?(?:'[^']*'|"[^"]*")\))\])`;
const columnPath = new RegExp(`^(?=\\.)${step}+$`);

/** A column that lists of a version show, in Kubernetes' form. */
const printerColumn = z.strictObject({
  name: z.string().min(1).max(253),
  type: z.enum(['integer', 'number', 'string', 'boolean', 'date']),
  format: z.enum(['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password']).optional(),
  description: z.string().max(4096).optional(),
  priority: z.int().min(0).max(2_147_483_647).optional(),
  jsonPath: z
    .string()
    .max(1000)
    .regex(
      columnPath,
      'must be a JSONPath such as .spec.size or .status.conditions[?(@.type=="Ready")].status',
    ),
});

const selectableField = z.strictObject({
  jsonPath: z
    .string()
    .max(1000)
    .regex(
      /^\.spec(?:\.[A-Za-z_][A-Za-z0-9_-]*)+$/,
      'must be a simple path below .spec, such as .spec.color',
    ),
});

/** How a version is shown and selected. */
export const versionDisplay = {
  additionalPrinterColumns: distinct(printerColumn, 64),
  // The limit of KEP-4358.
  selectableFields: distinct(selectableField, 8),
};

/** A column that lists of a version show. */
export type PrinterColumn = z.output<typeof printerColumn>;

const selectableTypes = ['string', 'integer', 'boolean'];

/** Why lists cannot be selected by a field of `spec` with this schema, or null. A schema that uses references is not followed. */
export function selectableFault(jsonPath: string, schema: unknown): string | null {
  let at: unknown = schema;
  for (const name of jsonPath.split('.').slice(2)) {
    if (!isPlainObject(at) || '$ref' in at || 'allOf' in at) return null;
    const properties = at['properties'];
    if (!isPlainObject(properties) || !Object.hasOwn(properties, name))
      return 'must be a field that the schema declares';
    at = properties[name];
  }
  if (!isPlainObject(at) || '$ref' in at) return null;
  const { type } = at;
  if (type === undefined && ('enum' in at || 'const' in at)) return null;
  // `nullable` of a CustomResourceDefinition is the type null next to another. A field that is null has the empty value.
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== 'null');
  return types.length === 1 && selectableTypes.includes(types[0])
    ? null
    : 'must be a field of type string, integer or boolean';
}
