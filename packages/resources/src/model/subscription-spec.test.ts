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
