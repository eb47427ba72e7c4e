/** Somebody who can log in at the development identity provider, by choosing their name. */
export interface Person {
  /** The `sub` of their ID tokens. */
  readonly subject: string;
  readonly email: string;
  readonly name: string;
  readonly groups: readonly string[];
  /** Whether the provider vouches for the address; it does unless told otherwise. */
  readonly emailVerified?: boolean;
  /** Said on the page that asks who to be. */
  readonly note: string;
}

/** The two of the development settings: an operator who is also an admin, and an ordinary user. */
export const developmentPeople: readonly Person[] = [
  {
    subject: 'admin',
    email: 'admin@platform.localhost',
    name: 'Ada Admin',
    groups: ['operators'],
    note: 'operator of the resource API, and admin of the default Organization',
  },
  {
    subject: 'dev',
    email: 'dev@platform.localhost',
    name: 'Devi Developer',
    groups: ['developers'],
    note: 'ordinary user',
  },
];
