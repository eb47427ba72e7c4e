import { setTimeout as delay } from 'node:timers/promises';
import { subscriptionSpec } from './subscription-spec.ts';

const specWith = (labelSelector: string) => ({
  url: 'https://a.example/',
  secret: `whsec_${'A'.repeat(40)}`,
  selector: { labelSelector },
});

// Attack: hundreds of thousands of terms, which are compared with every change.
it('the label selector of a subscription has at most 16,384 characters', () => {
  const terms = '!a,'.repeat(5_461);
  expect(subscriptionSpec.safeParse(specWith(`${terms}b`)).success).toBe(true);
  expect(subscriptionSpec.safeParse(specWith(`${terms}bb`)).success).toBe(false);
});

// Attack: parsers sort the combining marks of a host in quadratic time. Parsing these takes a minute.
it('the URL of a subscription that is too long is not parsed', async () => {
  const url = `https://a${'\u0316\u0301'.repeat(250_000)}`;
  const { error } = subscriptionSpec.safeParse({ ...specWith('a'), url });
  expect(error?.issues).toEqual([expect.objectContaining({ code: 'too_big' })]);
  await delay(0);
});
