import { createMemoryAuthorizationCodeStore, describeAuthorizationCodeStore } from './index.ts';

describe('the authorization code store on a map', () => {
  describeAuthorizationCodeStore(async () => createMemoryAuthorizationCodeStore(), ['one', 'other']);
});
