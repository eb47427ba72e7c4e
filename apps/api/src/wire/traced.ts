import type { Outbound, OutboundResponse, Span, SpanAttributes, Tracer } from '@platform/kernel';
import type { Store } from '@platform/store-postgres';

/**
 * A span for every request to an issuer or provider, with its origin and no more: paths and queries can hold secrets. Their `traceparent`
 * is not sent: the other side belongs to someone else, who would learn which requests belong together and could not add to our traces.
 */
export function traceOutbound(tracer: Tracer, outbound: Outbound): Outbound {
  const traced = <T>(method: string, url: string, work: (span: Span) => Promise<T>) =>
    tracer.span(
      { name: method, kind: 'client', attributes: { 'http.request.method': method, ...originOf(url) } },
      work,
    );
  return {
    request: (request) =>
      traced(request.method, request.url, async (span) => {
        const response: OutboundResponse = await outbound.request(request);
        span.set({ 'http.response.status_code': response.status });
        if (response.status >= 400) span.fail(String(response.status));
        return response;
      }),
    getJson: (url) => traced('GET', url, () => outbound.getJson(url)),
  };
}

function originOf(text: string): SpanAttributes {
  if (!URL.canParse(text)) return {};
  const { protocol, hostname, port } = new URL(text);
  const implied = protocol === 'http:' ? 80 : 443;
  return {
    'server.address': hostname,
    'server.port': port === '' ? implied : Number(port),
    'url.scheme': protocol.slice(0, -1),
  };
}

type Database = Store['database'];
type Sql = Pick<Database, 'rows'>;
type Transactional = Pick<Database, 'rows' | 'transaction'>;

/**
 * Makes a span for each wait of a request for the database. A call of a resource port is one span, since the calls of several requests share a
 * statement; of other areas, each statement is one. Spans never have parameters.
 */
export function traceStore(tracer: Tracer, store: Store): Store {
  return {
    ...store,
    reader: traceMethods(tracer, 'resources', store.reader),
    writer: traceMethods(tracer, 'resources', store.writer),
    transactions: {
      run: (work, options) => tracer.span(start('transaction'), () => store.transactions.run(work, options)),
    },
    definitions: traceMethods(tracer, 'definitions', store.definitions),
    database: traceDatabase(tracer, store.database),
  };
}

function traceDatabase(tracer: Tracer, database: Database): Database {
  return {
    ...database,
    ...traceTransactional(tracer, database),
    withLockRetry: (work) => database.withLockRetry((inner) => work(traceTransactional(tracer, inner))),
    get load() {
      return database.load;
    },
  };
}

function traceTransactional(tracer: Tracer, database: Transactional): Transactional {
  return {
    rows: traceRows(tracer, database),
    transaction: (work, options) =>
      tracer.span(start('transaction'), () =>
        database.transaction((sql) => work({ rows: traceRows(tracer, sql) }), options),
      ),
  };
}

function traceRows(tracer: Tracer, sql: Sql): Sql['rows'] {
  return (text, parameters) => tracer.span(start(summaryOf(text)), () => sql.rows(text, parameters));
}

function traceMethods<T extends object>(tracer: Tracer, subject: string, methods: T): T {
  const traced = Object.entries(methods).map(([name, method]) => [
    name,
    (...parameters: unknown[]) =>
      tracer.span(start(`${subject}.${name}`), () => method.apply(methods, parameters)),
  ]);
  return Object.fromEntries(traced) as T;
}

function start(summary: string) {
  return {
    name: summary,
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': summary },
  } as const;
}

const summaries = new Map<string, string>();
// Lists of parameters make more texts than there are statements.
const keptSummaries = 500;

/** The name of a statement, such as `select projects`: from the comment that it begins with, else from its outermost level. */
export function summaryOf(text: string): string {
  const known = summaries.get(text);
  if (known !== undefined) return known;
  const summary = namedBy(text) ?? readFrom(text);
  if (summaries.size >= keptSummaries) summaries.clear();
  summaries.set(text, summary);
  return summary;
}

/** The name in the comment that a statement with nested tables begins with. */
function namedBy(text: string): string | undefined {
  return /^\s*\/\* ([a-z_ ]+) \*\//.exec(text)?.[1];
}

function readFrom(text: string): string {
  const outermost = withoutParentheses(text);
  const operation = /\b(?:select|insert|update|delete)\b/i.exec(outermost)?.[0].toLowerCase() ?? 'statement';
  const table = /\b(?:from|into|update)\s+"?([a-z_]+)/i.exec(outermost)?.[1];
  return table === undefined ? operation : `${operation} ${table}`;
}

function withoutParentheses(text: string): string {
  const less = text.replace(/\([^()]*\)/g, ' ');
  return less === text ? text : withoutParentheses(less);
}
