import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { createMetrics as apiMetrics } from '../../apps/api/src/http/metrics.ts';
import { createMetrics as collectorMetrics } from '../../apps/collector/src/metrics.ts';
import { root, text, yaml } from './files.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
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

/** What `/metrics` of both processes can tell, under the names that queries use. */
async function exported(): Promise<ReadonlySet<string>> {
  const pool = () => ({ max: 1, busy: 0, waiting: 0 });
  const pages = await Promise.all([apiMetrics(pool).render(), collectorMetrics().render()]);
  const names = pages.flatMap((page) =>
    [...page.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name],
    ),
  );
  return new Set(names);
}

/** The metrics that a query names; throws when it is no PromQL. */
function metricsOf(query: string): readonly string[] {
  const names: string[] = [];
  parser.parse(query).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`not PromQL at ${node.from}: ${query}`);
      const parent = node.node.parent?.name;
      if (node.name === 'Identifier' && parent === 'VectorSelector')
        names.push(query.slice(node.from, node.to));
    },
  });
  return names;
}

describe('docker/observability', () => {
  it('sees a query that is no PromQL', () => {
    expect(() => metricsOf('sum(rate(x[5m])')).toThrow('not PromQL');
    expect(metricsOf('sum by (le) (rate(x_bucket{a="b"}[5m])) / y')).toEqual(['x_bucket', 'y']);
  });

  it.each(queries)('%s asks for metrics that are exported', async (_name, query) => {
    const known = await exported();
    const names = metricsOf(query);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(known).toContain(name);
  });

  it('has alerts with a severity and a summary, each once, each explained', () => {
    const names = rules.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    for (const { labels, annotations } of rules) {
      expect(labels.severity).toMatch(/^(page|ticket)$/);
      expect(annotations.summary).toMatch(/\.$/);
    }
    const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
    const explained = [...page.matchAll(/^\| `(Platform\w+)` \|/gm)].map((match) => match[1]);
    expect(explained.sort()).toEqual([...names].sort());
  });

  it('explains every metric of the service itself, and no other', async () => {
    const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
    const explained = [...page.matchAll(/^\| `(platform_\w+)` \|/gm)].map((match) => match[1]);
    const own = [...(await exported())]
      .map((name) => name.replace(/_(bucket|count|sum)$/, ''))
      .filter((name) => !/^platform_(api|collector)_(process|nodejs)_/.test(name));
    expect(explained.sort()).toEqual([...new Set(own)].sort());
  });

  it('has panels that fit the grid, each with an id of its own', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { gridPos } of dashboard.panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });
});
