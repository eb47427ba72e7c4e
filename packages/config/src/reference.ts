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

/** The introduction of the reference page, before its tables. */
const introduction = `
# Configuration

<!-- Made from packages/config/src/schema by \`pnpm docs:configuration\`. Edit it there. -->

For operators: every key of the configuration, and where it is read from. One YAML file configures the platform, and environment
variables override it. Every key has a default; the platform starts without a file.

## Sources

1. The file that \`PLATFORM_CONFIG\` names, or else \`platform.yaml\` in the working directory. Without a file, the
   built-in **development settings** apply: every key at its default, and one operator \`admin@platform.localhost\` who is
   also an admin. They are rejected with \`NODE_ENV=production\` and on
   addresses other than loopback, because everybody can log in as any user. To configure the platform with the environment
   only, let \`PLATFORM_CONFIG\` name an empty file.
2. The environment, which overrides the file: \`PLATFORM__SERVER__PUBLIC_URL=https://platform.example.com\`, a double underscore
   separates levels. Values are YAML, so lists and mappings are possible
   (\`PLATFORM__AUTH__OPERATOR_USERS='[a@example.com]'\`), and a number selects an entry of a list
   (\`PLATFORM__AUTH__CONTROLLERS__0__ISSUER\`). An empty value or \`null\` unsets a key. If a key is a string, text
   that YAML would read as another type is used unchanged. Names are in capitals; in mappings of any keys, a level with small letters
   keeps its case (\`PLATFORM__DEFAULT_ORGANIZATION__SPEC__displayName\`).
3. References inside string values: \`\${env:NAME}\` is replaced by a variable, \`\${file:/path}\` by the content of a file
   without its final line break. \`$\${env:NAME}\` is the literal text \`\${env:NAME}\`.

Relative paths are resolved against the working directory. Traces are configured by OpenTelemetry's own variables, which
[tracing.md](tracing.md) lists.

An unknown key or an invalid value prevents the start. All faults are reported at once, one line each, without values:

\`\`\`text
server.listen: must be <address>:<port>, such as 127.0.0.1:8080
auth.controllers[0].claims.aud: is required: a controller must pin the audience of its tokens
sever: is not a known key
\`\`\`

## Secrets that are not configured

| Key | Development settings | Configuration file |
|---|---|---|
| \`server.jwt_signing_secret\`, \`encryption.keys\` | kept in \`database.data_dir\` | kept in \`database.data_dir\`; required when \`NODE_ENV=production\` and \`database.url\` is set |
| \`server.rs256_private_key_pem\` | kept in \`database.data_dir\` | a new key pair at each start, with a warning; required when \`NODE_ENV=production\` |

Kept secrets are generated once, in \`secrets.yaml\` with mode 0600. Back that file up together with the database: values
that are sealed with a lost encryption key cannot be decrypted.
`;
