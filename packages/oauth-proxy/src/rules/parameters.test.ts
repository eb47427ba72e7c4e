import { printable } from './parameters.ts';

describe('printable', () => {
  it('keeps what RFC 6749 allows and replaces the rest', () => {
    expect(printable('denied\r\nX: "y" \\ ü!')).toBe('denied??X: ?y? ? ?!');
  });
});
