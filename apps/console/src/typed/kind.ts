import type { components } from 'platform-service-client/api-types';
import type { Body, Field } from './fields.ts';

export type Schemas = components['schemas'];

/** The members that all typed resources have. */
export interface TypedItem {
  readonly uid: string;
  readonly name: string;
  readonly revision: number;
  readonly created_at: string;
}

/** The members of a body that cannot be changed; a PUT may leave them out. */
type Fixed = 'name' | 'organization';

/** A kind of typed resources: what people fill in to create and to change one. `Write` is the body that creates one. */
export interface TypedKind<T, Write = object> {
  /** With its article: "a project". */
  readonly noun: string;
  readonly fields: readonly Field[];
  /** Null when nothing of it can be changed. */
  readonly editFields: readonly Field[] | null;
  readonly initial: Body;
  /** The body of a PUT that changes nothing. The compiler demands every field, because a PUT resets those that it leaves out. */
  readonly bodyOf: (item: T) => Body & Readonly<Record<Exclude<keyof Write, Fixed>, unknown>>;
  /** Puts the revision into the body, for what takes no precondition without it. */
  readonly atRevision?: (body: Body, revision: number) => Body;
  /** Turns what was filled in into what the API takes, such as a sealed secret. */
  readonly prepare?: (body: Body, project: string) => Promise<Body>;
}

export function nounOf({ noun }: Pick<TypedKind<never>, 'noun'>): string {
  return noun.replace(/^an? /, '');
}

/** The name of what is created: most kinds have it, and none can change it. */
export const nameField: Field = {
  path: '/name',
  label: 'Name',
  type: 'text',
  mono: true,
  required: true,
  hint: 'Lower case letters, digits and hyphens, at most 63. It cannot be changed.',
};

export const organizationField: Field = {
  path: '/organization',
  label: 'Organization',
  type: 'text',
  mono: true,
  hint: 'The default organization unless you name one. It cannot be changed.',
};
