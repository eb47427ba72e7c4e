/** The client that providers in these tests know the platform as. */
export const UPSTREAM_CLIENT = { id: 'platform-at-provider', secret: 'the upstream secret' } as const;
