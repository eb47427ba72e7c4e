import { isTemplateOrigin, templateUrl } from './urls.ts';

describe('an origin that the template gives', () => {
  it.each([
    ['https://{project}.apps.example', 'https://shop.apps.example'],
    ['https://{project}.apps.example:8443/start', 'https://shop.apps.example:8443'],
    ['https://{PROJECT}.APPS.example'.replace('PROJECT', 'project'), 'https://shop.apps.example'],
    ['https://app-{project}.example', 'https://app-shop.example'],
    ['https://apps.example/{project}', 'https://apps.example'],
  ])('of %s is %s', (template, origin) => expect(isTemplateOrigin(template, origin)).toBe(true));

  // Attack: an address that looks like one of the template, on a domain of somebody else.
  it.each([
    'https://apps.example',
    'https://.apps.example',
    'https://shop.evil.apps.example',
    'https://shop.apps.example.evil.example',
    'https://evil.example',
    'https://evil.example/.apps.example',
    'http://shop.apps.example',
    'https://shop.apps.example:8443',
  ])('is not %s', (origin) => {
    expect(isTemplateOrigin('https://{project}.apps.example', origin)).toBe(false);
  });
});

/** Node.js 24 takes names that are no Punycode for parts of a host. */
const inHost = URL.canParse('https://xn--a.apps.example') ? 'https://xn--a.apps.example' : null;

describe('the URL that the template gives', () => {
  it.each([
    ['https://{project}.APPS.example/', 'shop', 'https://shop.apps.example/'],
    ['https://apps.example/{project}', 'xn--a', 'https://apps.example/xn--a'],
    ['https://{project}.apps.example', 'xn--a', inHost],
  ])('of %s to %s is %s', (template, name, url) => expect(templateUrl(template, name)).toBe(url));
});
