export { describeAuthorizationCodeStore } from './authorization-code-store.ts';
export { createMemoryAuthorizationCodeStore } from './memory-authorization-code-store.ts';
