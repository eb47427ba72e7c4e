import { introduction } from './reference-introduction.ts';
import { rootShape, type Shape } from './schema/shape.ts';

/** The page `docs/configuration.md`, made from the schema; a test fails when the two differ. */
export function referencePage(): string {
  const chapters = Object.entries(rootShape.properties ?? {}).map(([name, section]) =>
    chapter(name, section),
  );
  return `${[introduction.trim(), ...chapters].join('\n\n')}\n`;
}

function chapter(name: string, section: Shape): string {
  const rows = Object.entries(section.properties ?? {}).flatMap(([key, shape]) =>
    row(`${name}.${key}`, shape),
  );
  return [`## ${name}`, '', '| Key | Type | Default | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function row(key: string, shape: Shape): string[] {
  const cells = [`\`${key}\``, typeName(shape), defaultOf(key, shape), meaning(shape)];
  const entries = Object.entries(shape.items?.properties ?? {});
  return [`| ${cells.join(' | ')} |`, ...entries.flatMap(([name, inner]) => row(`${key}[].${name}`, inner))];
}

function meaning(shape: Shape): string {
  const secret = shape.secret === true ? ' Secret.' : '';
  return `${shape.description ?? ''}${secret}`;
}

function typeName(shape: Shape): string {
  if (shape.enum !== undefined) return shape.enum.map((value) => `\`${String(value)}\``).join(' or ');
  if (shape.anyOf !== undefined) return [...new Set(shape.anyOf.map(typeName))].join(' or ');
  if (shape.type === 'array') return `list of ${plural(typeName(shape.items ?? {}))}`;
  if (shape.type !== 'integer')
    return { boolean: 'true or false', object: 'mapping' }[shape.type ?? ''] ?? 'string';
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = shape;
  return maximum >= 2_147_483_647 ? `whole number from ${minimum}` : `whole number, ${minimum} to ${maximum}`;
}

function plural(name: string): string {
  return name.replace(/\b(?:string|mapping)\b/g, '$&s');
}

function defaultOf(key: string, shape: Shape): string {
  if (shape.shown !== undefined) return /^[a-z]+ |`/.test(shape.shown) ? shape.shown : `\`${shape.shown}\``;
  if (shape.default !== undefined) return `\`${asYaml(shape.default)}\``;
  return key.includes('[]') ? 'required' : 'none';
}

function asYaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(asYaml).join(', ')}]`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
