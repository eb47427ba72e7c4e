import { isDeletionProtected } from './deletion-protection.ts';

const key = 'platform.dev/deletion-protection';

describe('isDeletionProtected', () => {
  it.each([
    ['{"annotations":{}}', false],
    [`{"annotations":{"${key}":"true"}}`, true],
    [`{"annotations":{"${key}":"True"}}`, false],
    [`{"annotations":{"${key}":"false"}}`, false],
    [`{"annotations":{"${key}":""}}`, false],
    [`{"annotations":{"${key}/x":"true"}}`, false],
    ['{"annotations":{"platform.dev\\/deletion-\\u0070rotection":"true"}}', true],
    [`{"annotations":{"__proto__":"true"},"labels":{"${key}":"true"}}`, false],
  ])('of %s is %s', (metadata, expected) => expect(isDeletionProtected(metadata)).toBe(expected));
});
