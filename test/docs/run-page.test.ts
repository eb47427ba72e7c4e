import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runPage } from './run-page.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'page-test-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function page(...blocks: string[]): string {
  const path = resolve(directory, 'page.md');
  writeFileSync(path, blocks.map((block) => `\`\`\`sh\n${block}\n\`\`\`\n`).join('\n'));
  return relative(root, path);
}

it('runs blocks in one shell, in order, and ends what they left running', async () => {
  const runs = await runPage(page('one=1', 'sleep 600 > /dev/null & echo $! $one $GIVEN'), {
    GIVEN: 'given',
  });
  const [pid, ...rest] = (runs[1]?.printed ?? '').trim().split(' ');
  expect(rest).toEqual(['1', 'given']);
  expect(() => process.kill(Number(pid), 0)).toThrow();
});

it('stops where a block fails', async () => {
  await expect(runPage(page('echo fine', 'echo this one; false', 'echo never'), {})).rejects.toThrow(
    /page.md:5 ended with 1 and printed\s+this one/,
  );
});

it('runs a second terminal next to the page, from its first output on', async () => {
  const marked =
    '<!-- terminal: up at localhost:8080 -->\n```sh\necho "up at localhost:8080 $one"; sleep 600\n```\n';
  const path = page('export one=1');
  writeFileSync(
    resolve(root, path),
    `\`\`\`sh\nexport one=1\n\`\`\`\n${marked}\`\`\`sh\necho $one\n\`\`\`\n`,
  );
  const runs = await runPage(path, { PORT: '4711' });
  expect(runs.map(({ printed }) => printed)).toEqual(['', 'up at localhost:4711 \n', '1\n']);
});

it('repeats until the page is right, expects a refusal, and leaves out what is not run', async () => {
  const path = page();
  const blocks = [
    `<!-- until as shown -->\n\`\`\`sh\necho x >> ${directory}/count; wc -l < ${directory}/count\n\`\`\`\n\n\`\`\`text\n3\n\`\`\`\n`,
    '<!-- ends with 7 -->\n```sh\nexit 7\n```\n',
    '<!-- needs: no-such-program -->\n```sh\nno-such-program\n```\n',
    '<!-- needs: sh -->\n```sh\nsh -c true\n```\n',
    '<!-- not run: it would fail -->\n```sh\nexit 8\n```\n',
  ];
  writeFileSync(resolve(root, path), blocks.join('\n'));
  expect(await runPage(path, {})).toHaveLength(3);
  writeFileSync(resolve(root, path), '<!-- ends with 7 -->\n```sh\ntrue\n```\n');
  await expect(runPage(path, {})).rejects.toThrow('page.md:2 ended with 1');
});

it('compares what the page shows', async () => {
  const path = page('echo other');
  writeFileSync(resolve(root, path), '```sh\necho other\n```\n\n```text\nsomething\n```\n');
  await expect(runPage(path, {})).rejects.toThrow(/shows\s+something\s+but its command printed\s+other/);
});
