import { fileToken, staticToken } from '@platform/client';
import { InvalidArgumentError } from 'commander';
import { Failure } from '../failure.ts';
import { type Projection, projectOnce, projectTokens } from '../identity/projector.ts';
import type { Register, Workbench } from './command.ts';
import { readCount } from './scan.ts';

const defaultDirectory = '/var/run/secrets/platform/tokens/';

interface ProjectOptions {
  readonly audience: readonly Projection[];
  readonly directory: string;
  readonly credentialFile?: string;
  readonly ttl?: number;
  readonly once?: boolean;
}

/** `identity project`: workload tokens for an app that runs beside it. */
export const registerIdentity: Register = (program, benchOf) => {
  program
    .command('identity')
    .description('workload identity')
    .command('project')
    .description(
      'keep workload tokens fresh in a directory, until stopped. The bootstrap credential comes from --credential-file or PLATFORM_BOOTSTRAP_CREDENTIAL',
    )
    .requiredOption(
      '-a, --audience <file=audience>',
      'a token for this audience in this file; repeatable',
      readProjection,
    )
    .option('-d, --directory <directory>', 'where the files are', defaultDirectory)
    .option('--credential-file <file>', 'a file with the bootstrap credential, read again each time')
    .option('--ttl <seconds>', 'a shorter lifetime than the usual one', readCount)
    .option('--once', 'write every token once, and end')
    .action(async (options: ProjectOptions, command) => {
      const bench = benchOf(command);
      const { terminal, session, signal } = bench;
      const parts = {
        client: session.clientWith(credentialOf(bench, options)),
        directory: options.directory,
        projections: options.audience,
        ttlSeconds: options.ttl,
        timers: terminal.timers,
        signal,
        log: (line: string) => terminal.err(`${line}\n`),
      };
      if (options.once) await projectOnce(parts);
      else await projectTokens(parts);
    });
};

function credentialOf({ terminal }: Workbench, { credentialFile }: ProjectOptions) {
  if (credentialFile !== undefined) return fileToken(credentialFile);
  const credential = terminal.env['PLATFORM_BOOTSTRAP_CREDENTIAL'];
  if (credential === undefined || credential === '') {
    throw new Failure(
      'usage',
      'there is no bootstrap credential',
      '--credential-file or PLATFORM_BOOTSTRAP_CREDENTIAL',
    );
  }
  return staticToken(credential);
}

/** Reads `file=audience`; an audience alone is a file of that name, where it can be one. */
function readProjection(text: string, previous: readonly Projection[] = []): readonly Projection[] {
  const separator = text.indexOf('=');
  const [file, audience] =
    separator === -1 ? [text, text] : [text.slice(0, separator), text.slice(separator + 1)];
  // Attack: a name such as ../../etc/passwd leaves the directory.
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(file)) {
    throw new InvalidArgumentError('the file must be a plain name: aws=sts.amazonaws.com');
  }
  if (audience === '') throw new InvalidArgumentError('the audience is empty.');
  if (previous.some((other) => other.file === file))
    throw new InvalidArgumentError(`${file} is there twice.`);
  return [...previous, { file, audience }];
}
