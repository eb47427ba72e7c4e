import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from '../failure.ts';
import { controllerFiles } from '../scaffold/controller-files.ts';
import type { Register } from './command-context.ts';

interface NewOptions {
  readonly group: string;
  readonly kind: string;
}

/** `new controller`: writes a small controller with a test, to begin with. */
export const registerNew: Register = (program, contextOf) => {
  program
    .command('new')
    .description('write the files of a new program')
    .command('controller <name>')
    .description('write a controller in TypeScript with a kind and a test, in a new directory of that name')
    .option('--group <group>', 'the API group of the kind', 'example.dev')
    .option('--kind <kind>', 'the kind that it reconciles', 'Greeting')
    .addHelpText(
      'after',
      `
Examples:
  platform new controller greeter
  platform new controller certificates --group web.example.dev --kind Certificate`,
    )
    .action((name: string, { group, kind }: NewOptions, command) => {
      const ctx = contextOf(command);
      requireName('name', name, /^[a-z][a-z0-9-]{0,40}$/, 'small letters, digits and hyphens');
      requireName(
        'group',
        group,
        /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/,
        'a DNS name such as example.dev',
      );
      requireName('kind', kind, /^[A-Z][A-Za-z0-9]{0,40}$/, 'a name such as Certificate');
      if (existsSync(name) && readdirSync(name).length > 0)
        throw new Failure('conflict', `directory ${name} is not empty`, 'choose another name');
      const files = controllerFiles({ name, group, kind, url: ctx.session.url });
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(name, path)), { recursive: true });
        writeFileSync(join(name, path), content);
        ctx.out(`${name}/${path}\n`);
      }
      ctx.err(`Next: cd ${name} && npm install && npm test\n`);
    });
};

function requireName(what: string, text: string, pattern: RegExp, expected: string): void {
  if (!pattern.test(text)) throw new Failure('usage', `invalid ${what} ${text}`, `expected ${expected}`);
}
