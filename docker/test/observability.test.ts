import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TokenRefusal } from '@platform/tokens';
import { parser } from '@prometheus-io/lezer-promql';
import { AggregatorRegistry } from 'prom-client';
import { createMetrics as apiMetrics } from '../../apps/api/src/http/metrics.ts';
import { createMetrics as collectorMetrics } from '../../apps/collector/src/metrics.ts';
import { root, text, yaml } from './files.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly w: number };
  readonly targets?: readonly { readonly expr: string }[];
}

const rules = yaml<{ readonly groups: readonly { readonly rules: readonly Rule[] }[] }>(
  'observability/alerts.yaml',
).groups.flatMap((group) => group.rules);
const dashboard: { readonly panels: readonly Panel[] } = JSON.parse(text('observability/dashboard.json'));
const panelQueries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, expr.replaceAll('$__rate_interval', '5m')] as const),
);
const queries = [...rules.map(({ alert, expr }) => [alert, expr] as const), ...panelQueries];

const reasons: Readonly<Record<TokenRefusal, true>> = {
  malformed: true,
  issued_here: true,
  claims: true,
  times: true,
  unknown_key: true,
  signature: true,
  no_match: true,
  session_ended: true,
};

/** The API's metrics after everything has happened, as one process has them and as they are added up over workers. */
async function apiPages(): Promise<readonly [string, string]> {
  const metrics = apiMetrics(() => ({ max: 1, busy: 0, waiting: 0 }), '0.0.0');
  for (const status of [0, 200, 404, 503]) {
    metrics.requests.observe({ method: 'GET', route: '/healthz', status }, 1);
  }
  for (const reason of Object.keys(reasons)) metrics.refused(reason);
  for (const outcome of ['2xx', '4xx', 'timeout']) metrics.upstream('GET', outcome, 1);
  metrics.issued('session');
  metrics.auditDropped(1);
  metrics.watch.sent(1);
  metrics.watch.delay(20);
  metrics.watch.count(() => ({ open: 2, behind: 1 }));
  const own = await metrics.render();
  return [own, await AggregatorRegistry.aggregate([await metrics.registry.getMetricsAsJSON()]).metrics()];
}

async function collectorPage(): Promise<string> {
  const { reportCleanup, deliveries, render } = collectorMetrics('0.0.0');
  reportCleanup('logins', 1);
  reportCleanup('logins', null);
  for (const outcome of ['delivered', 'failed'] as const) deliveries.delivered(outcome, 1);
  deliveries.paused('Gone');
  deliveries.subscriptions({ active: 1, failing: 0, paused: 0, suspended: 0 });
  return await render();
}

/** The names that queries use, each with its labels and their values. */
type Exported = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

function read(page: string): Exported {
  const names = new Map<string, Map<string, Set<string>>>();
  for (const [, name = '', labels = ''] of page.matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const known = names.get(name) ?? new Map<string, Set<string>>();
    names.set(name, known);
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
      known.set(label, (known.get(label) ?? new Set()).add(value));
    }
  }
  return names;
}

/** The metrics of both processes. */
async function exported(): Promise<Exported> {
  const [api] = await apiPages();
  return new Map([...read(api), ...read(await collectorPage())]);
}

/** Without what a histogram adds to its name. */
function base(name: string): string {
  return name.replace(/_(bucket|count|sum)$/, '');
}

/** The metrics that are not those of Node.js and the process, also those that this file has made nothing happen to. */
async function ownMetrics(): Promise<ReadonlySet<string>> {
  const [api] = await apiPages();
  const declared = `${api}${await collectorPage()}`.matchAll(/^# TYPE (\w+) /gm);
  return new Set(
    [...declared].map(([, name = '']) => name).filter((name) => !/^(process|nodejs)_/.test(name)),
  );
}

/** The metrics that a query names. */
interface Asked {
  readonly metrics: readonly string[];
  readonly matchers: readonly { readonly metric: string; readonly label: string; readonly text: string }[];
  /** The labels that it groups by. */
  readonly labels: readonly string[];
}

/** Takes a query apart; throws when it is no PromQL. */
function askedBy(query: string): Asked {
  const metrics: string[] = [];
  const matchers: Asked['matchers'][number][] = [];
  const labels: string[] = [];
  parser.parse(query).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`not PromQL at ${node.from}: ${query}`);
      const parent = node.node.parent?.name;
      const text = query.slice(node.from, node.to);
      if (node.name === 'Identifier' && parent === 'VectorSelector') metrics.push(text);
      if (node.name === 'UnquotedLabelMatcher') {
        const [, label = '', value = ''] = /^(\w+)\W+"(.*)"$/.exec(text) ?? [];
        matchers.push({ metric: metrics.at(-1) ?? '', label, text: value });
      }
      if (node.name === 'LabelName' && parent === 'GroupingLabels') labels.push(text);
    },
  });
  return { metrics, matchers, labels };
}

describe('docker/observability', () => {
  it('sees a query that is no PromQL', () => {
    expect(() => askedBy('sum(rate(x[5m])')).toThrow('not PromQL');
    expect(askedBy('sum by (le) (rate(x_bucket{a=~"b"}[5m])) / y')).toEqual({
      metrics: ['x_bucket', 'y'],
      matchers: [{ metric: 'x_bucket', label: 'a', text: 'b' }],
      labels: ['le'],
    });
  });

  it.each(queries)(
    '%s asks for metrics that are exported, by labels and values that they have',
    async (_name, query) => {
      const known = await exported();
      const { metrics, matchers, labels } = askedBy(query);
      expect(metrics.length).toBeGreaterThan(0);
      for (const name of metrics) expect([...known.keys()]).toContain(name);
      // Prometheus adds the instance itself; a joined metric brings labels of its own.
      const has = ['instance', ...metrics.flatMap((name) => [...(known.get(name)?.keys() ?? [])])];
      for (const label of labels) expect(has).toContain(label);
      for (const { metric, label, text } of matchers) {
        const values = known.get(metric)?.get(label);
        if (values === undefined) throw new Error(`${metric} has no label ${label}`);
        // Which templates there are is not known here.
        if (label === 'route') continue;
        for (const alternative of text.split('|')) {
          const fits = new RegExp(`^(?:${alternative})$`);
          expect([alternative, [...values].some((value) => fits.test(value))]).toEqual([alternative, true]);
        }
      }
    },
  );

  it.each(queries)('%s asks for metrics that are there with several workers, too', async (_name, query) => {
    const [, added] = await apiPages();
    const known = read(added);
    for (const name of askedBy(query).metrics) {
      if (name.startsWith('platform_api_')) expect([...known.keys()]).toContain(name);
    }
  });

  it('shows every metric of the service itself on the dashboard', async () => {
    const shown = new Set(panelQueries.flatMap(([, query]) => askedBy(query).metrics).map(base));
    expect([...(await ownMetrics())].filter((name) => !shown.has(name))).toEqual([]);
  });

  it('has alerts with a severity and a summary, each once, each explained', () => {
    const names = rules.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    for (const { alert, labels, annotations } of rules) {
      expect(labels.severity).toMatch(/^(critical|warning)$/);
      expect(annotations.summary).toMatch(/\.$/);
      expect(annotations.runbook_url).toMatch(new RegExp(`#${alert.toLowerCase()}$`));
    }
    const page = readFileSync(join(root, 'docs/monitoring.md'), 'utf8');
    const explained = [...page.matchAll(/^### (Platform\w+)$/gm)].map((match) => match[1]);
    expect(explained.sort()).toEqual([...names].sort());
  });

  it('explains every metric of the service itself, and no other', async () => {
    const page = readFileSync(join(root, 'docs/monitoring.md'), 'utf8');
    const explained = [...page.matchAll(/^\| `(platform_\w+)` \|/gm)].map((match) => match[1]);
    expect(explained.sort()).toEqual([...(await ownMetrics())].sort());
  });

  it('has panels that fit the grid, each with an id of its own', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { gridPos } of dashboard.panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });
});
