import { OAuthError } from '@platform/kernel';
import { redirectTarget } from './redirect-uri.ts';

const app = {
  projectUrl: 'https://app.example.com',
  customDomains: ['https://www.example.com:8443', 'http://intern.example'],
  spec: {},
};

describe('redirectTarget', () => {
  it.each([
    'http://localhost/cb',
    'http://localhost:1/cb?x=1',
    'http://127.0.0.1:54321/',
    'http://[::1]:3000/cb',
    'https://app.example.com',
    'https://app.example.com/any/path?a=b',
    'https://app.example.com:443/cb',
    'https://www.example.com:8443/cb',
    'http://intern.example:80/cb',
    'HTTPS://APP.Example.COM/Cb',
  ])('allows %s', (uri) => {
    expect(redirectTarget(uri, app)).toBe(new URL(uri).href);
  });

  it.each([
    ['a host that begins like an allowed one', 'https://app.example.com.evil.example/cb'],
    ['a host that ends like an allowed one', 'https://evil-app.example.com/cb'],
    ['a subdomain', 'https://evil.app.example.com/cb'],
    ['a host that begins like localhost', 'http://localhost.evil.example/cb'],
    ['a host that begins like a loopback address', 'http://127.0.0.1.evil.example/cb'],
    ['a trailing dot', 'https://app.example.com./cb'],
    ['another port', 'https://app.example.com:444/cb'],
    ['the default port of the other scheme', 'https://app.example.com:80/cb'],
    ['a custom domain without its port', 'https://www.example.com/cb'],
    ['another scheme', 'http://app.example.com/cb'],
    ['localhost over https', 'https://localhost:3000/cb'],
    ['another loopback address', 'http://127.0.0.2/cb'],
    ['a decimal loopback address', 'http://2130706433/cb'],
    ['a hexadecimal loopback address', 'http://0x7f.1/cb'],
    ['the unspecified address', 'http://0.0.0.0:3000/cb'],
    ['user information', 'https://app.example.com@evil.example/cb'],
    ['user information before an allowed host', 'https://user:pw@app.example.com/cb'],
    ['empty user information', 'https://@app.example.com/cb'],
    ['a fragment', 'https://app.example.com/cb#x'],
    ['an empty fragment', 'https://app.example.com/cb#'],
    ['a backslash before the path', 'https://app.example.com\\@evil.example/cb'],
    ['backslashes for slashes', 'https:\\\\app.example.com\\cb'],
    ['a tab in the host', 'https://app.exam\tple.com/cb'],
    ['a line break', 'https://app.example.com/cb\r\nSet-Cookie: x'],
    ['a NUL', 'https://app.example.com/\0cb'],
    ['a space before the URL', ' https://app.example.com/cb'],
    ['an encoded host', 'https://%61pp.example.com/cb'],
    ['an encoded dot', 'https://app%2eexample.com/cb'],
    ['an encoded slash in the host', 'https://app.example.com%2f.evil.example/cb'],
    ['full-width letters', 'http://\uff4cocalhost/cb'],
    ['no slashes', 'https:app.example.com/cb'],
    ['three slashes', 'https:///app.example.com/cb'],
    ['a relative reference', '//app.example.com/cb'],
    ['a path', '/cb'],
    ['javascript', 'javascript:alert(1)//app.example.com'],
    ['data', 'data:text/html,x'],
    ['file', 'file:///etc/passwd'],
    ['an app scheme', 'com.example.app:/cb'],
    ['a blob', 'blob:https://app.example.com/1'],
    ['a code of its own', 'https://app.example.com/cb?code=x'],
    ['a state of its own', 'https://app.example.com/cb?a=1&state=x'],
    ['an encoded code of its own', 'https://app.example.com/cb?%63ode=x'],
    ['nothing', ''],
    ['more than 2048 characters', `https://app.example.com/${'a'.repeat(2048)}`],
  ])('refuses %s', (_what, uri) => {
    expect(() => redirectTarget(uri, app)).toThrow(OAuthError);
  });

  it.each([
    ['more than 2048 characters', `https://app.example.com/${'a'.repeat(2048)}`],
    ['characters', 'https://app.example.com/a b'],
    ['not an absolute', '//app.example.com/cb'],
    ['not an absolute', 'https:///app.example.com/cb'],
    ['credentials', 'https://user@app.example.com/cb'],
    ['host and port', 'http://2130706433/cb'],
    ['host and port', 'http://localhost:/cb'],
    ['a parameter of the answer', 'https://app.example.com/cb?code=x'],
    ['not allowed for this project', 'https://evil.example/cb'],
  ])('says %s of %s', (message, uri) => {
    expect(() => redirectTarget(uri, app)).toThrow(message);
  });

  it('falls back to the project URL', () => {
    expect(redirectTarget(null, app)).toBe('https://app.example.com/');
  });

  it('never takes the null origin of an opaque scheme for another one', () => {
    const opaque = { projectUrl: 'javascript:1', customDomains: ['data:text/html,x'], spec: {} };
    expect(() => redirectTarget('javascript:2', opaque)).toThrow(OAuthError);
    expect(() => redirectTarget(null, opaque)).toThrow(OAuthError);
  });

  describe('with redirect_uris', () => {
    const listed = {
      ...app,
      spec: { redirect_uris: ['https://app.example.com/cb', 'https://elsewhere.example/cb'] },
    };

    it('allows exactly the listed texts, and loopback', () => {
      expect(redirectTarget('https://app.example.com/cb', listed)).toBe('https://app.example.com/cb');
      expect(redirectTarget('http://localhost:1234/x', listed)).toBe('http://localhost:1234/x');
      for (const uri of [
        'https://app.example.com/',
        'https://app.example.com/cb/',
        'https://app.example.com/cb?a=1',
      ]) {
        expect(() => redirectTarget(uri, listed)).toThrow('redirect_uris');
      }
    });

    it('still keeps to the origins of the project', () => {
      expect(() => redirectTarget('https://elsewhere.example/cb', listed)).toThrow(
        'not allowed for this project',
      );
    });

    it('takes the only one when none is requested, and asks for one of several', () => {
      const one = { ...app, spec: { redirect_uris: ['https://app.example.com/cb'] } };
      expect(redirectTarget(null, one)).toBe('https://app.example.com/cb');
      expect(() => redirectTarget(null, listed)).toThrow('redirect_uri is required');
    });
  });

  it('refuses loopback with allow_localhost: false, unless the project itself lives there', () => {
    const spec = { allow_localhost: false };
    expect(() => redirectTarget('http://127.0.0.1:3000/cb', { ...app, spec })).toThrow(OAuthError);
    const local = { projectUrl: 'http://localhost:3000', customDomains: [], spec };
    expect(redirectTarget('http://localhost:3000/cb', local)).toBe('http://localhost:3000/cb');
    expect(() => redirectTarget('http://localhost:3001/cb', local)).toThrow(OAuthError);
  });
});
