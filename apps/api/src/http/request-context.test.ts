import type { Request, Response } from 'express';
import { transportSecurity } from './request-context.ts';

/** The headers that the step sets for a platform with that address. */
function headersFor(publicUrl: string): Record<string, unknown> {
  const headers: Record<string, unknown> = {};
  const response = { setHeader: (name: string, value: unknown) => (headers[name] = value) };
  let went = false;
  void transportSecurity(publicUrl)({} as Request, response as unknown as Response, () => {
    went = true;
  });
  expect(went).toBe(true);
  return headers;
}

describe('Strict-Transport-Security', () => {
  it('is sent where the platform is https', () => {
    expect(headersFor('https://platform.example')).toEqual({
      'Strict-Transport-Security': 'max-age=31536000',
    });
  });

  it('is not sent over http, where it would lock people out of localhost', () => {
    expect(headersFor('http://localhost:8080')).toEqual({});
  });
});
