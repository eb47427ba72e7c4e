import { z } from 'zod';
import { parseQuery } from './query.ts';

const schema = z.object({
  code: z.string(),
  tag: z.array(z.string()).optional(),
  choice: z.enum(['allow', 'deny']).optional(),
});

describe('parseQuery', () => {
  it('reads a parameter once, and a list as often as it is sent', () => {
    expect(parseQuery(schema, 'code=1&tag=a&tag=b')).toEqual({ code: '1', tag: ['a', 'b'] });
  });

  it.each([
    ['', 'Query parameter code is required.'],
    ['code=1&code=2', 'Query parameter code must appear once.'],
    ['choice=perhaps', 'Query parameter code is required. Query parameter choice must be allow or deny.'],
  ])('refuses %j in plain words', (raw, message) => {
    expect(() => parseQuery(schema, raw)).toThrow(message);
  });
});
