import { setTimeout as delay } from 'node:timers/promises';
import { projectUrl } from './fields.ts';

// Attack: parsers sort the combining marks of a host in quadratic time. Parsing these takes a minute.
it('the URL of a project that is too long is not parsed', async () => {
  const url = `https://a${'\u0316\u0301'.repeat(250_000)}`;
  const read = projectUrl('https://{project}.apps.example').safeParse(url);
  expect(read.error?.issues).toEqual([expect.objectContaining({ code: 'too_big' })]);
  await delay(0);
});
