import { corsHeaders, preflightHeaders } from './cors.ts';

const app = {
  projectUrl: 'https://app.example.com/start',
  customDomains: ['https://www.example.com:8443'],
  spec: {},
};
const allowed = (origin: string | undefined) => corsHeaders(origin, app)['Access-Control-Allow-Origin'];

describe('CORS', () => {
  it.each([
    'https://app.example.com',
    'https://www.example.com:8443',
    'http://localhost:5173',
    'http://127.0.0.1',
    'http://[::1]:8',
  ])('lets %s read', (origin) => expect(allowed(origin)).toBe(origin));

  it.each([
    'null',
    'https://app.example.com.evil.example',
    'https://app.example.com/',
    'https://app.example.com:443',
    'https://APP.example.com',
    'http://app.example.com',
    'https://localhost',
    'http://user@localhost',
    '*',
    '',
  ])('gives %j no header but Vary', (origin) => {
    expect(corsHeaders(origin, app)).toEqual({ Vary: 'Origin' });
    expect(preflightHeaders(origin, app, ['POST'])).toEqual({ Vary: 'Origin' });
  });

  it('varies by origin also without one', () => {
    expect(corsHeaders(undefined, app)).toEqual({ Vary: 'Origin' });
  });

  it('allows the headers and methods of a token request in a preflight', () => {
    const headers = preflightHeaders('http://localhost:5173', app, ['GET', 'POST']);
    expect(headers['Access-Control-Allow-Methods']).toBe('GET, POST');
    expect(headers['Access-Control-Allow-Headers']).toMatch(/Authorization.*Content-Type/);
    expect(headers).not.toHaveProperty('Access-Control-Allow-Credentials');
  });
});
