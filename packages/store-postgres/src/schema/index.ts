export { oauthCodes, oauthSigningKeys, oauthStates } from './oauth.ts';
export { catalogEpoch, resources } from './resources.ts';
