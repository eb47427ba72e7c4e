import { InvalidArgumentError } from 'commander';
import { fileToken, staticToken } from 'platform-service-client';
import { Failure } from '../failure.ts';
import { type Projection, projectOnce, projectTokens } from '../identity/token-projection.ts';
import type { CommandContext, Register } from './command-context.ts';
import { readCount } from './options.ts';

const defaultDirectory = '/var/run/secrets/platform/tokens/';

interface ProjectOptions {
  readonly audience: readonly Projection[];
  readonly directory: string;
  readonly credentialFile?: string;
  readonly ttl?: number;
  readonly once?: boolean;
}

/** `identity project`: writes workload tokens to files for an app, as a sidecar. */
export const registerIdentity: Register = (program, contextOf) => {
  program
    .command('identity')
    .description('workload identity')
    .command('project')
    .description(
      'write workload tokens to a directory and renew them until stopped. The bootstrap credential comes from --credential-file or PLATFORM_BOOTSTRAP_CREDENTIAL',
    )
    .requiredOption(
      '-a, --audience <file=audience>',
      'write a token for this audience to this file; repeatable',
      readProjection,
    )
    .option('-d, --directory <directory>', 'the directory of the files', defaultDirectory)
    .option(
      '--credential-file <file>',
      'a file with the bootstrap credential; it is read again for each token',
    )
    .option('--ttl <seconds>', 'a shorter lifetime than the default', readCount)
    .option('--once', 'write each token once, then exit')
    .action(async (options: ProjectOptions, command) => {
      const ctx = contextOf(command);
      const { terminal, session, signal } = ctx;
      const deps = {
        client: session.clientWith(credentialOf(ctx, options)),
        directory: options.directory,
        projections: options.audience,
        ttlSeconds: options.ttl,
        timers: terminal.timers,
        signal,
        log: (line: string) => terminal.err(`${line}\n`),
      };
      if (options.once) await projectOnce(deps);
      else await projectTokens(deps);
    });
};

function credentialOf({ terminal }: CommandContext, { credentialFile }: ProjectOptions) {
  if (credentialFile !== undefined) return fileToken(credentialFile);
  const credential = terminal.env['PLATFORM_BOOTSTRAP_CREDENTIAL'];
  if (credential === undefined || credential === '') {
    throw new Failure(
      'usage',
      'missing bootstrap credential',
      'set --credential-file or PLATFORM_BOOTSTRAP_CREDENTIAL',
    );
  }
  return staticToken(credential);
}

/** Parses `file=audience`. A plain audience is also the file name. */
function readProjection(text: string, previous: readonly Projection[] = []): readonly Projection[] {
  const separator = text.indexOf('=');
  const [file, audience] =
    separator === -1 ? [text, text] : [text.slice(0, separator), text.slice(separator + 1)];
  // Attack: a name such as ../../etc/passwd would leave the directory.
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(file)) {
    throw new InvalidArgumentError('the file must be a plain name, as in aws=sts.amazonaws.com');
  }
  if (audience === '') throw new InvalidArgumentError('the audience is empty.');
  if (previous.some((other) => other.file === file))
    throw new InvalidArgumentError(`file ${file} is given twice.`);
  return [...previous, { file, audience }];
}
