/**
 * Which package may import which: packages of the platform by name, others and modules of Node.js under `external`.
 * `node:*` stands for every module of Node.js. Tests, conformance suites and test helpers may import anything.
 */

const area = (platform = [], external = []) => ({
  platform: ['kernel', ...platform],
  external: ['zod', ...external],
});
const adapter = (platform, ...external) => ({
  platform: ['kernel', ...platform],
  external: ['node:*', ...external],
});
/** A program: its `src/wire.ts` and `src/wire/` connect adapters and may import every package. */
const program = (platform, ...external) => ({ ...adapter(platform, ...external), wires: true });

export const packages = {
  kernel: { platform: [], external: ['node:crypto'] },

  // Areas are pure: values in, values out, and nothing of Node.js but hashes.
  access: area(),
  resources: area(['access'], ['node:crypto', 'lru-cache']),
  'garbage-collector': area(['resources']),
  // The log and both ways to its readers, watches and webhooks. Time comes from a port.
  'change-log': area(['access', 'resources', 'garbage-collector']),
  // The translation to and from the Kubernetes API; the routes are in `api`.
  kubernetes: area(['resources'], ['@bufbuild/protobuf/wire']),
  tokens: area([], ['node:crypto', 'lru-cache']),
  login: area(['tokens'], ['node:crypto']),
  'oauth-proxy': area(['tokens'], ['node:crypto', 'lossless-json']),
  'key-rotation': area(['login', 'oauth-proxy', 'resources']),
  projects: area(['access', 'resources', 'tokens', 'oauth-proxy']),

  // An adapter imports the areas whose ports it implements and one technology, never another adapter.
  'oidc-client': adapter(
    ['tokens', 'login', 'oauth-proxy'],
    'jwks-rsa',
    'openid-client',
    'jose',
    'lru-cache',
  ),
  'outbound-http': adapter([], 'ipaddr.js'),
  'schema-validation': adapter(
    ['resources'],
    'ajv',
    '@hyperjump/browser',
    '@hyperjump/json-schema',
    '@hyperjump/json-schema-formats',
    '@marcbachmann/cel-js',
    '@eslint-community/regexpp',
    'idn-hostname',
    'lru-cache',
    'ipaddr.js',
    're2js',
    'semver',
  ),
  crypto: adapter(
    ['resources', 'tokens', 'oauth-proxy', 'change-log'],
    'jsonwebtoken',
    'jose',
    'lru-cache',
    'standardwebhooks',
    'uuid',
  ),
  'store-memory': adapter(['access', 'resources', 'garbage-collector', 'change-log']),
  // The PostgreSQL client knows no area; the stores are on it.
  postgres: adapter([], 'postgres'),
  'store-postgres': adapter(
    [
      'postgres',
      'access',
      'resources',
      'change-log',
      'garbage-collector',
      'tokens',
      'login',
      'oauth-proxy',
      'projects',
      'key-rotation',
    ],
    'drizzle-orm',
    'lru-cache',
    'rate-limiter-flexible',
  ),

  config: { platform: [], external: ['node:*', 'zod', 'yaml'] },
  'service-runtime': adapter(['config', 'resources'], 'winston', 'winston-transport', '@opentelemetry/*'),
  client: { platform: [], external: ['node:fs/promises'] },

  api: program(
    [
      'change-log',
      'config',
      'service-runtime',
      'service-runtime/stop-signals',
      'access',
      'resources',
      'kubernetes',
      'tokens',
      'login',
      'projects',
      'oauth-proxy',
    ],
    'content-type',
    'cookie',
    'cors',
    'express',
    'ipaddr.js',
    'lossless-json',
    'lru-cache',
    'marked',
    'negotiator',
    'prom-client',
    'raw-body',
    'yaml',
    'zod',
  ),
  collector: program(
    [
      'config',
      'service-runtime',
      'service-runtime/stop-signals',
      'change-log',
      'garbage-collector',
      'key-rotation',
    ],
    'prom-client',
  ),
  cli: program(
    // The scaffold of a controller has a test that imports the test kit.
    ['client', 'client/testing'],
    '@bomb.sh/tab',
    'cli-table3',
    'commander',
    'fastest-levenshtein',
    'jq-wasm',
    'jsonpath-plus',
    'diff',
    'lossless-json',
    'open',
    'picocolors',
    'yaml',
  ),

  // Runs in browsers, on the public HTTP API alone: of the platform it has only the types of its answers and of resources.
  console: {
    platform: ['client/api-types', 'client/resource'],
    external: [
      '@codemirror/*',
      '@dagrejs/dagre',
      '@lezer/highlight',
      '@tanstack/*',
      '@xyflow/react',
      'diff',
      'react',
      'react-aria-components',
      'react-dom',
      'yaml',
    ],
  },

  // A platform on the memory store, for tests of controllers; it comes with the client.
  'test-platform': program(['client', 'api/parts']),

  // Development tools put programs together, so they may import adapters.
  launcher: adapter(['config', 'service-runtime', 'tokens', 'development', 'crypto']),
  bench: adapter(
    ['client', 'service-runtime', 'tokens', 'development', 'crypto'],
    'autocannon',
    'express',
    'postgres',
  ),
  // `development/testing`, its part for tests, is in no row: only tests may import it.
  development: adapter([], 'oidc-provider', 'selfsigned'),
  'example-controller': { platform: ['client'], external: ['node:*', 'jose'] },
};

/** Which folder of an area's `src` may import which of these folders. Other folders are free. */
export const layers = {
  model: ['model'],
  rules: ['model', 'rules'],
  ports: ['model', 'ports'],
  kinds: ['model', 'rules', 'ports', 'kinds'],
  usecases: ['model', 'rules', 'ports', 'kinds', 'usecases'],
};

/** Areas whose use cases take parsed values. Add yours when its sources name nothing of HTTP. */
export const areasWithoutHttp = ['access', 'resources', 'garbage-collector', 'tokens', 'projects'];

/** Names of HTTP messages. A program parses requests and writes answers. */
export const httpNames =
  /\b(?:URLSearchParams|Headers|readBody|statusCode)\b|'(?:GET|HEAD|POST|PUT|PATCH|DELETE)'/;
