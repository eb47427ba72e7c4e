import { createMemoryAuthorizationCodeStore, describeAuthorizationCodeStore } from './index.ts';

describe('the authorization code store on a map', () => {
  describeAuthorizationCodeStore(
    async () => createMemoryAuthorizationCodeStore((owner) => (owner === 'other' ? owner : 'project')),
    ['one', 'other', 'sibling'],
  );
});
