import type { Collection, DeletionBlockers, Resource } from 'platform-service-client';
import type { Catalog } from '../kinds/catalog.ts';
import { labelOf, readTarget, requireItem } from '../kinds/target.ts';
import { ageOf, printable } from '../output/format.ts';
import { table } from '../output/table.ts';
import { toYaml } from '../output/yaml.ts';
import { type Identity, Labels, readPlan, relationOf } from '../relations/deletion-plan.ts';
import { changeLine, type Explanation, readExplanation } from '../relations/explanation.ts';
import type { CommandContext, Register } from './command-context.ts';
import { withinOption } from './options.ts';
import { blockersTable, ownFinalizersLine } from './pending.ts';
import { describeTyped, typedItemOf } from './typed-commands.ts';

/** `describe`: shows everything about one resource. */
export const registerDescribe: Register = (program, contextOf) => {
  program
    .command('describe <target...>')
    .description('show one resource with its owners, dependents and deletion blockers')
    .addOption(withinOption())
    .addHelpText(
      'after',
      `\nExamples:
  platform describe page acme/home
  platform describe page uid:0190a5c2-5f0e-7cc3-98c4-dc0c0c07398f`,
    )
    .action(async (words, { in: within }, command) => {
      const ctx = contextOf(command);
      const typed = typedItemOf(words, within);
      if (typed !== null) return await describeTyped(ctx, typed);
      const catalog = await ctx.catalog();
      const { collection, key, kind } = requireItem(ctx.client, readTarget(catalog, words, within));
      const { signal, now } = ctx;
      const resource = await collection.get(key, { signal });
      const { uid, name, ancestors } = resource.metadata;
      const [blockers, { explanation }] = await Promise.all([
        collection.blockers(key, { signal }),
        readExplanation(ctx.client, collection, uid, signal),
      ]);
      const { dependents, truncated } = await dependentsFrom(ctx, collection, resource, explanation);
      const labels = new Labels(catalog, [...(explanation.owners ?? []), ...dependents]);
      labels.learn(uid, [...ancestors, name]);
      const parent = explanation.owners?.find(({ relationship }) => relationship === 'parent');
      if (parent !== undefined) labels.learn(parent.uid, ancestors);
      ctx.out(
        [
          factsOf(labelOf(kind.kind, [...ancestors, name]), resource, now),
          ownersOf(resource, explanation, labels, catalog),
          dependentsOf(dependents, labels, explanation.dependents === undefined),
          yamlSection('Spec', resource.spec),
          yamlSection('Status', resource.status.controllers),
          blockersOf(resource, blockers, ctx),
          changesOf(explanation),
        ].join(''),
      );
      if (truncated) ctx.err('There are more dependents; only the nearest are shown.\n');
    });
};

/** An immediate dependent. */
interface Dependent extends Identity {
  readonly relationship: string;
  readonly blockOwnerDeletion?: boolean;
  readonly state: string;
}

/** The explanation of a live resource has its dependents; of one that is being deleted, the plan has them. */
async function dependentsFrom(
  ctx: CommandContext,
  collection: Collection,
  { metadata: { uid } }: Resource,
  { dependents, truncated }: Explanation,
): Promise<{ readonly dependents: readonly Dependent[]; readonly truncated: boolean }> {
  if (dependents !== undefined) {
    const live = dependents.map(({ deletionTimestamp, ...dependent }) => ({
      ...dependent,
      state: deletionTimestamp === null ? 'live' : `deleting ${ageOf(deletionTimestamp, ctx.now)}`,
    }));
    return { dependents: live, truncated: truncated === true };
  }
  const plan = await readPlan(ctx.client, collection, uid, ctx.signal);
  const immediate = plan.resources.filter(({ because }) => because.owner?.uid === uid);
  return {
    dependents: immediate.map(({ because, heldBy, ...identity }) => {
      const finalizers = heldBy.find(({ resource }) => resource.uid === identity.uid)?.finalizers ?? [];
      return { ...identity, ...because, state: finalizers.join(', ') || '-' };
    }),
    truncated: plan.truncated === true,
  };
}

function factsOf(label: string, { apiVersion, metadata }: Resource, now: number): string {
  const { uid, revision, generation, discriminator, creationTimestamp, deletionTimestamp, finalizers } =
    metadata;
  const annotations = Object.entries(metadata.annotations).map(([name, value]) => `${name}=${value}`);
  const since = (time: string) => `${time} (${ageOf(time, now)} ago)`;
  const facts: [string, string][] = [
    ['Name:', label],
    ['API version:', apiVersion],
    ['UID:', uid],
    ['Discriminator:', discriminator],
    ['Revision:', `${revision}, generation ${generation}`],
    ['Created:', since(creationTimestamp)],
    ...(deletionTimestamp === undefined ? [] : [['Deleting:', since(deletionTimestamp)] as [string, string]]),
    ['Finalizers:', finalizers.join(', ') || 'none'],
    ['Annotations:', annotations.join(', ') || 'none'],
  ];
  return facts.map(([name, value]) => `${name.padEnd(15)}${printable(value)}\n`).join('');
}

function ownersOf(
  { metadata: { ownerReferences } }: Resource,
  { owners }: Explanation,
  labels: Labels,
  catalog: Catalog,
): string {
  const rows = ownerReferences.map(({ apiVersion, kind, name, uid, blockOwnerDeletion = false }) => {
    const found = owners?.find((owner) => owner.uid === uid);
    const missing = catalog.find(apiVersion, kind) === undefined ? 'unknown kind' : 'removed';
    const state = found === undefined ? missing : found.deletionTimestamp === null ? 'live' : 'deleting';
    return [
      found === undefined ? labelOf(kind, [name]) : labels.of(found),
      blockOwnerDeletion ? 'blocks' : 'does not block',
      owners === undefined ? '-' : state,
    ];
  });
  return section('Owners', rows.length === 0 ? '' : table(['OWNER', 'DELETION', 'STATE'], rows));
}

function dependentsOf(dependents: readonly Dependent[], labels: Labels, held: boolean): string {
  const rows = dependents.map((each) => [labels.of(each), relationOf(each), each.state]);
  const headings = ['RESOURCE', 'RELATION', held ? 'FINALIZERS' : 'STATE'];
  return section('Children and dependents', rows.length === 0 ? '' : table(headings, rows));
}

function changesOf({ changes = [] }: Explanation): string {
  if (changes.length === 0) return '';
  return section('Latest changes', changes.map((change) => `${changeLine(change)}\n`).join(''));
}

function blockersOf({ metadata }: Resource, report: DeletionBlockers, ctx: CommandContext): string {
  const isDeleting = metadata.deletionTimestamp !== undefined;
  const finalizers = isDeleting ? ownFinalizersLine(metadata.finalizers) : '';
  const blockers = report.blockers.length === 0 ? '' : blockersTable(report, ctx.now);
  return section(
    isDeleting ? 'Blocking deletion' : 'Blocks deletion of this resource',
    blockers + finalizers,
  );
}

function yamlSection(title: string, value: unknown): string {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return section(title, isEmpty ? '' : toYaml(value));
}

function section(title: string, body: string): string {
  if (body === '') return `${`${title}:`.padEnd(14)} none\n`;
  return `${title}:\n${body
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}\n`)
    .join('')}`;
}
