import { generatedKinds } from '../generated/typed-kinds.ts';

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
  readonly namedByServer: boolean;
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

/** Short names and columns, for the kinds that have some. */
const shownAs: Readonly<Record<string, Partial<Pick<TypedKind, 'short' | 'columns'>>>> = {
  Project: {
    short: ['proj'],
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
  Team: {
    columns: [
      member('ORGANIZATION', 'organization'),
      { heading: 'MEMBERS', of: peopleOf },
      wide('UID', 'uid'),
    ],
  },
  Environment: { short: ['env', 'envs'] },
  ServiceAccount: {
    short: ['sa', 'sas'],
    columns: [
      member('EMAIL', 'email'),
      member('ISSUER', 'issuer_url'),
      wide('CLAIMS', 'claims'),
      wide('UID', 'uid'),
    ],
  },
  // The name of a deployment is its uid.
  Deployment: { short: ['deploy', 'deploys'], columns: [member('ENVIRONMENT', 'environment')] },
  Extension: {
    short: ['ext', 'exts'],
    columns: [
      member('TYPE', 'type'),
      { heading: 'CLIENT ID', of: statusOf('client_id') },
      { heading: 'ISSUER', of: statusOf('issuer'), wide: true },
      { heading: 'CALLBACK', of: statusOf('callback_url'), wide: true },
      wide('UID', 'uid'),
    ],
  },
};

/** The kinds of the typed API, in the order of `platform kinds`. */
export const typedKinds: readonly TypedKind[] = generatedKinds.map(({ kind, plural, inProject, fields }) => ({
  kind,
  plural,
  inProject,
  specFields: fields.filter((field) => field !== 'name'),
  namedByServer: !fields.some((field) => field === 'name'),
  short: [],
  columns: [wide('UID', 'uid')],
  ...shownAs[kind],
}));

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
