import type { Project } from '../model/records.ts';
import { trustedAddresses, unprovenAddresses, wantedAddresses } from './addresses.ts';

const project = {
  url: 'https://shop.example/app',
  customDomains: ['https://www.example'],
  contested: [] as readonly string[],
} as unknown as Project;
const template = 'https://shop.apps.example';
const unproven = (url: string, customDomains: readonly string[] = [], of = project) =>
  unprovenAddresses(wantedAddresses({ url, customDomains }), of, template).map(({ text }) => text);

describe('addresses without a proof', () => {
  it('are those of the project and of the template', () => {
    expect(unproven('https://shop.example/app', ['https://www.example'])).toEqual([]);
    expect(unproven('https://shop.apps.example')).toEqual([]);
    expect(unproven('https://shop.apps.example/start')).toEqual([]);
  });

  // Attack: a member moves a project to a domain of somebody else, whose visitors it then logs in.
  it('are not those of other hosts', () => {
    expect(unproven('https://evil.example')).toEqual(['https://evil.example']);
    expect(unproven('https://shop.apps.example.evil.example')).toEqual([
      'https://shop.apps.example.evil.example',
    ]);
    expect(unproven('https://shop.example/app', ['https://bank.example'])).toEqual(['https://bank.example']);
  });

  // Attack: an address that belongs to another project is kept by sending it again.
  it('are not contested addresses of the project', () => {
    const contested = { ...project, contested: ['https://www.example'] };
    expect(unproven('https://shop.example/app', ['https://www.example'], contested)).toEqual([
      'https://www.example',
    ]);
  });
});

describe('trusted addresses', () => {
  it('are all addresses that are not contested', () => {
    expect(trustedAddresses(project)).toEqual({
      url: 'https://shop.example/app',
      customDomains: ['https://www.example'],
    });
    const contested = { ...project, contested: ['https://shop.example/app'] };
    expect(trustedAddresses(contested)).toEqual({ url: '', customDomains: ['https://www.example'] });
  });

  // Attack: of two projects of 0.24.0 with one URL, the younger one gets tokens with the audience of the older one.
  it('are not contested in another spelling either', () => {
    const url = 'https://Shop.example:443/%7eApp/../b%7e/';
    const contested = { ...project, url, contested: ['https://shop.example/%7eApp/../b%7e'] };
    expect(trustedAddresses(contested)).toEqual({ url: '', customDomains: ['https://www.example'] });
  });
});
