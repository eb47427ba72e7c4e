import { typedBodies } from '../generated/typed-bodies.ts';

/** A typed resource as in `/api/v1` (docs/typed-resources.md). The snake_case fields differ from kind to kind. */
export interface TypedItem {
  readonly name: string;
  readonly created_at: string;
  readonly [member: string]: unknown;
}

/** One column of a table. */
export interface Column {
  readonly heading: string;
  readonly of: (item: TypedItem) => string;
  /** Shown only with `-o wide`. */
  readonly wide?: true;
}

/** A kind of the typed API, with its names and columns. */
export interface TypedKind {
  readonly kind: string;
  /** The name of its collection in the path. */
  readonly plural: string;
  readonly short: readonly string[];
  /** Whether it belongs to a project. */
  readonly inProject: boolean;
  /** The members of answers that requests may contain, but for the name. */
  readonly specFields: readonly string[];
  /** Whether the server gives the name. */
  readonly namedByServer?: true;
  /** In addition to the names and the age. */
  readonly columns: readonly Column[];
}

/** A value as text. Lists and mappings become comma-separated. */
function text(value: unknown): string {
  if (value === undefined || value === null || value === '') return '-';
  if (Array.isArray(value)) return value.map(text).join(', ') || '-';
  if (typeof value !== 'object') return String(value);
  return (
    Object.entries(value)
      .map(([name, member]) => `${name}=${text(member)}`)
      .join(', ') || '-'
  );
}

const member = (heading: string, name: string): Column => ({ heading, of: (item) => text(item[name]) });
const wide = (heading: string, name: string): Column => ({ ...member(heading, name), wide: true });

const ownerOf = ({ owner }: TypedItem): string => {
  const { user, team } = (owner ?? {}) as { user?: string; team?: string };
  return team === undefined ? text(user) : `team ${team}`;
};
const peopleOf = ({ members }: TypedItem): string => {
  const people = (members ?? []) as readonly { email: string; role: string }[];
  return people.map(({ email, role }) => (role === 'owner' ? `${email} (owner)` : email)).join(', ') || '-';
};
const statusOf = (name: string) => (item: TypedItem) =>
  text((item['status'] as TypedItem | undefined)?.[name]);

/** The fields of a body, but for the name. */
const fieldsOf = (body: keyof typeof typedBodies): readonly string[] =>
  typedBodies[body].filter((field) => field !== 'name');

/** The kinds of the typed API, in the order of `platform kinds`. */
export const typedKinds: readonly TypedKind[] = [
  {
    kind: 'Project',
    plural: 'projects',
    short: ['proj'],
    inProject: false,
    specFields: fieldsOf('ProjectCreate'),
    columns: [
      member('ORGANIZATION', 'organization'),
      member('ACCESS', 'access_class'),
      { heading: 'OWNER', of: ownerOf },
      member('URL', 'url'),
      wide('MEMBERS', 'members'),
      wide('DOMAINS', 'custom_domains'),
      wide('UID', 'uid'),
    ],
  },
  {
    kind: 'Team',
    plural: 'teams',
    short: [],
    inProject: false,
    specFields: fieldsOf('TeamCreate'),
    columns: [
      member('ORGANIZATION', 'organization'),
      { heading: 'MEMBERS', of: peopleOf },
      wide('UID', 'uid'),
    ],
  },
  {
    kind: 'Environment',
    plural: 'environments',
    short: ['env', 'envs'],
    inProject: true,
    specFields: fieldsOf('EnvironmentWrite'),
    columns: [wide('UID', 'uid')],
  },
  {
    kind: 'ServiceAccount',
    plural: 'service-accounts',
    short: ['sa', 'sas'],
    inProject: true,
    specFields: fieldsOf('ServiceAccountWrite'),
    columns: [
      member('EMAIL', 'email'),
      member('ISSUER', 'issuer_url'),
      wide('CLAIMS', 'claims'),
      wide('UID', 'uid'),
    ],
  },
  {
    kind: 'Deployment',
    plural: 'deployments',
    short: ['deploy', 'deploys'],
    inProject: true,
    specFields: fieldsOf('DeploymentWrite'),
    namedByServer: true,
    columns: [member('ENVIRONMENT', 'environment')],
  },
  {
    kind: 'Extension',
    plural: 'extensions',
    short: ['ext', 'exts'],
    inProject: true,
    specFields: fieldsOf('ExtensionWrite'),
    columns: [
      member('TYPE', 'type'),
      { heading: 'CLIENT ID', of: statusOf('client_id') },
      { heading: 'ISSUER', of: statusOf('issuer'), wide: true },
      { heading: 'CALLBACK', of: statusOf('callback_url'), wide: true },
      wide('UID', 'uid'),
    ],
  },
];

const normalized = (word: string) => word.toLowerCase().replaceAll('-', '');

/** Finds a typed kind by its plural or kind, in any case and with or without hyphens, or by a short name. */
export function typedKindOf(word: string): TypedKind | undefined {
  const name = normalized(word);
  return typedKinds.find(
    ({ kind, plural, short }) =>
      name === normalized(kind) || name === normalized(plural) || short.includes(word.toLowerCase()),
  );
}

/** The typed kind whose plural begins with the word, if there is exactly one. */
export function typedKindByPrefix(word: string): TypedKind | undefined {
  const name = normalized(word);
  const matches = typedKinds.filter(({ plural }) => name !== '' && normalized(plural).startsWith(name));
  return matches.length === 1 ? matches[0] : undefined;
}
