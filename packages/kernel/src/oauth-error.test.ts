import { OAuthError } from './oauth-error.ts';

// A message may repeat a text of the caller, such as the name of a member that is there twice.
it('describes an error with the characters of RFC 6749, section 5.2, only', () => {
  const { error, error_description: description } = new OAuthError(
    'invalid_request',
    'key "é\\\n😀" is there',
  ).body;
  expect(error).toBe('invalid_request');
  expect(description).toBe("key '????' is there");
  expect(description).toMatch(/^[\x20\x21\x23-\x5B\x5D-\x7E]+$/);
});
