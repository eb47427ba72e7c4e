import { z } from 'zod';
import { auth, deploymentController } from './auth.ts';
import { base64Bytes, dnsServer, listen, origin, postgresUrl, text, whole } from './fields.ts';
import { server } from './server.ts';

const database = z.strictObject({
  url: postgresUrl.optional().meta({
    secret: true,
    shown: 'an embedded PostgreSQL is started',
    description:
      'An external PostgreSQL, 15 or later. With several hosts, in any order, the platform finds the primary.',
  }),
  data_dir: text
    .default('.platform')
    .describe(
      'Directory of the embedded database and the generated secrets, relative to the working directory.',
    ),
  pool_max: whole(1, 1000)
    .default(10)
    .describe(
      'Maximum number of connections that an API process has for requests; it opens up to three more. A collector opens at most six.',
    ),
  read_timeout_ms: whole(100, 60_000)
    .default(5_000)
    .describe('How long the database may take to answer a read, before the request is 503 `unavailable`.'),
  write_timeout_ms: whole(100, 60_000)
    .default(9_000)
    .describe(
      'The same for a write, before the request is 503 `outcome_unknown`. The database cancels a statement half a second earlier; a DELETE may take 30 s.',
    ),
  port: whole(0, 65_535)
    .default(0)
    .describe('Port of the embedded database on 127.0.0.1; 0 takes a free one.'),
});

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The members of the spec of an Organization that its kind knows; it may have others. */
const organizationTexts = ['deploymentControllerClass', 'displayName', 'description'];

function isText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

const texts = () => z.record(z.string(), z.string({ error: 'must be a string' })).default({});

const organization = z.strictObject({
  name: z
    .string()
    .refine((name) => name.length <= 253 && name.split('.').every((part) => label.test(part)), {
      error: 'must be a DNS label or DNS subdomain, at most 253 characters',
    })
    .default('default')
    .describe('Created if there is no Organization yet; otherwise an Organization of this name must exist.'),
  labels: texts().describe('Labels of that Organization.'),
  annotations: texts().describe('Annotations of that Organization.'),
  spec: z
    .record(z.string(), z.json())
    .superRefine((spec, context) => {
      for (const key of organizationTexts.filter((name) => !isText(spec[name]))) {
        context.addIssue({ code: 'custom', path: [key], message: 'must be a string' });
      }
    })
    .default({})
    .describe('Spec of that Organization.'),
});

const encryptionKey = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'must be 1 to 64 of A-Z a-z 0-9 _ -' })
    .describe('Part of every ciphertext; selects the key that decrypts it.'),
  key: base64Bytes(32, 32).meta({ secret: true, description: 'Base64 of exactly 32 bytes.' }),
});

const encryption = z.strictObject({
  keys: z.array(encryptionKey).default([]).meta({
    secret: true,
    shown: 'one key, generated once and kept in `database.data_dir`',
    description: 'Seals secrets at rest. The first key encrypts, all of them decrypt.',
  }),
});

const outbound = z.strictObject({
  allow_insecure_origins: z.array(origin).default([]).meta({
    shown: '[]',
    description: 'Exact origins exempt from the HTTPS and private-address rules. For development and tests.',
  }),
  dns_servers: z.array(dnsServer).default([]).meta({
    shown: '[]',
    description: 'DNS servers for the TXT records of domain challenges; if empty, those of the machine.',
  }),
  timeout_ms: whole(1).default(5000).describe('Timeout of one request to an issuer or provider.'),
});

const collector = z.strictObject({
  poll_interval_ms: whole(1).default(1000).describe('Interval between two polls for tombstones.'),
  batch_size: whole(1, 100_000)
    .default(200)
    .describe(
      'Number of tombstones processed in one transaction, with at most four times as many live rows below them.',
    ),
  lease_seconds: whole(1, 3600)
    .default(15)
    .describe('Time after which another collector replaces a killed leader.'),
  listen: listen.optional().meta({
    shown: 'nowhere',
    description: 'Where each collector serves `/healthz`, `/readyz` and `/metrics`. IPv6 as `[::1]:9090`.',
  }),
});

const projects = z.strictObject({
  name_quarantine_days: whole(0, 3650)
    .default(30)
    .describe(
      'Days for which the name of a deleted project stays reserved; 0 frees it at once. An admin can reuse it earlier with `?reuse=true`.',
    ),
});

const kubernetes = z.strictObject({
  enabled: z
    .boolean({ error: 'must be true or false' })
    .default(true)
    .describe('Whether the Kubernetes API is served below `/kubernetes`.'),
});

const changes = z.strictObject({
  retention_days: whole(1, 3650)
    .default(30)
    .describe('Days for which the change log is kept: for watches that resume, history and restores.'),
});

const audit = z.strictObject({
  retention_days: whole(1, 36_500)
    .default(400)
    .describe('Days for which audit records are kept. They are dropped a month at a time.'),
});

const limits = z.strictObject({
  oauth_requests_per_minute: whole(1)
    .default(300)
    .describe(
      'Maximum requests of one client address to one extension of the OAuth proxy, and to one endpoint of login, token exchange, workload identity and encryption.',
    ),
  encrypt_requests_per_hour: whole(1)
    .default(100)
    .describe('Maximum encryption requests of one user, across all replicas.'),
  watches: whole(1)
    .default(20_000)
    .describe('Maximum open watches of one API process; one more is 503 `unavailable`.'),
  watches_per_caller: whole(1)
    .default(1_000)
    .describe('Maximum open watches of one caller at one API process; one more is 429 `rate_limited`.'),
});

const log = z.strictObject({
  level: z
    .enum(['error', 'warn', 'info', 'debug'], { error: 'must be one of error, warn, info, debug' })
    .default('info')
    .describe('Lowest level that is written. Audit records are always written.'),
  format: z
    .enum(['json', 'text'], { error: 'must be one of json, text' })
    .default('json')
    .describe(
      'One JSON object per line, or text for people. `pnpm start` with the development settings uses text on a terminal.',
    ),
});

/** Every section of the configuration with every key: the one list. `docs/configuration.md` is made from it. */
export const sections = {
  server,
  database,
  auth,
  default_organization: organization,
  deployment_controller: deploymentController,
  encryption,
  outbound,
  collector,
  projects,
  changes,
  audit,
  limits,
  kubernetes,
  log,
} as const;

/** The name of a section. */
export type SectionName = keyof typeof sections;

/** The configuration as its file and environment give it, with plain defaults filled in. */
export type Settings = { readonly [S in SectionName]: Readonly<z.output<(typeof sections)[S]>> };
