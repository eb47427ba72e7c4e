import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ConfigFault } from './faults.ts';
import { headerPairs, resourcePairs } from './pairs.ts';
import type { Environment } from './source.ts';
import type { TracingSettings, TracingVariable } from './tracing-settings.ts';

type Setting =
  | 'ENDPOINT'
  | 'PROTOCOL'
  | 'HEADERS'
  | 'COMPRESSION'
  | 'TIMEOUT'
  | 'CERTIFICATE'
  | 'CLIENT_CERTIFICATE'
  | 'CLIENT_KEY';

const protocols = ['http/protobuf', 'http/json'] as const;
const compressions = ['none', 'gzip'] as const;
const samplers = {
  always_on: { followParent: false, ratio: 1 },
  always_off: { followParent: false, ratio: 0 },
  traceidratio: { followParent: false, ratio: null },
  parentbased_always_on: { followParent: true, ratio: 1 },
  parentbased_always_off: { followParent: true, ratio: 0 },
  parentbased_traceidratio: { followParent: true, ratio: null },
} as const;
const propagators = ['tracecontext', 'baggage', 'none'] as const;
const longestMs = 2 ** 31 - 1;

/**
 * Reads the standard variables of OpenTelemetry for traces; null unless an endpoint or `OTEL_TRACES_EXPORTER=otlp` enables them. A value that is
 * not supported is a fault, so that nobody waits for spans that are never exported.
 */
export function readTracing(
  env: Environment,
  cwd: string,
): { readonly tracing: TracingSettings | null; readonly faults: readonly ConfigFault[] } {
  const reader = new TracingReader(env, cwd);
  const tracing = reader.isOn() ? reader.settings() : null;
  return { tracing: reader.faults.length === 0 ? tracing : null, faults: reader.faults };
}

class TracingReader {
  readonly faults: ConfigFault[] = [];
  readonly #env: Environment;
  readonly #cwd: string;

  constructor(env: Environment, cwd: string) {
    this.#env = env;
    this.#cwd = cwd;
  }

  isOn(): boolean {
    if (this.#text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return false;
    const exporter = this.#choice('OTEL_TRACES_EXPORTER', ['otlp', 'none']);
    // Traces are wanted, so the other variables are checked, too.
    if (this.faults.length > 0) return true;
    const endpoint = this.#ofExporter('ENDPOINT');
    return exporter === 'otlp' || (exporter === undefined && endpoint !== null);
  }

  settings(): TracingSettings {
    const specific = this.#text('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
    return {
      protocol: this.#chosen('PROTOCOL', protocols) ?? 'http/protobuf',
      url: this.#url(specific === undefined),
      headers: {
        ...this.#pairs('OTEL_EXPORTER_OTLP_HEADERS', headerPairs),
        ...this.#pairs('OTEL_EXPORTER_OTLP_TRACES_HEADERS', headerPairs),
      },
      compression: this.#chosen('COMPRESSION', compressions) ?? 'none',
      timeoutMs: this.#number(this.#ofExporter('TIMEOUT')?.name ?? 'OTEL_EXPORTER_OTLP_TIMEOUT', 10_000),
      tls: {
        ...this.#file('ca', 'CERTIFICATE'),
        ...this.#file('cert', 'CLIENT_CERTIFICATE'),
        ...this.#file('key', 'CLIENT_KEY'),
      },
      resource: this.#resource(),
      sampler: this.#sampler(),
      acceptParents: this.#acceptParents(),
      batch: this.#batch(),
    };
  }

  // OpenTelemetry's specification: a variable that is set to nothing counts as one that is not set.
  #text(name: TracingVariable): string | undefined {
    return this.#env[name]?.trim() || undefined;
  }

  #fault(key: string, message: string): undefined {
    this.faults.push({ key, message });
  }

  /** The variable for traces alone goes before the one for all that is exported. */
  #ofExporter(setting: Setting): { readonly name: TracingVariable; readonly text: string } | null {
    for (const name of [
      `OTEL_EXPORTER_OTLP_TRACES_${setting}`,
      `OTEL_EXPORTER_OTLP_${setting}`,
    ] satisfies TracingVariable[]) {
      const text = this.#text(name);
      if (text !== undefined) return { name, text };
    }
    return null;
  }

  #choice<T extends string>(name: TracingVariable, choices: readonly T[]): T | undefined {
    const text = this.#text(name);
    if (text === undefined) return undefined;
    return (
      choices.find((choice) => choice === text) ?? this.#fault(name, `must be one of ${choices.join(', ')}`)
    );
  }

  #chosen<T extends string>(setting: Setting, choices: readonly T[]): T | undefined {
    const given = this.#ofExporter(setting);
    return given === null ? undefined : this.#choice(given.name, choices);
  }

  /** The address for traces alone is taken as it is; to the one for all, the path of traces is appended. */
  #url(appendPath: boolean): string {
    const { name, text } = this.#ofExporter('ENDPOINT') ?? {
      name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      text: 'http://localhost:4318',
    };
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || !/^https?:$/.test(url.protocol)) {
      this.#fault(name, 'must be an http:// or https:// URL');
      return '';
    }
    if (url.username !== '' || url.password !== '') {
      this.#fault(
        name,
        'must not hold a user or password; OTEL_EXPORTER_OTLP_HEADERS is the place for credentials',
      );
    }
    if (appendPath) url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
    return url.href;
  }

  #pairs(name: TracingVariable, read: typeof headerPairs): Readonly<Record<string, string>> {
    const pairs = read(this.#text(name) ?? '');
    if (typeof pairs !== 'string') return pairs;
    this.#fault(name, pairs);
    return {};
  }

  /** @returns milliseconds or a count: a whole number above zero. */
  #number(name: TracingVariable, fallback: number): number {
    const text = this.#text(name);
    if (text === undefined) return fallback;
    const value = /^\d{1,10}$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > longestMs) this.#fault(name, `must be a whole number from 1 to ${longestMs}`);
    return value;
  }

  #file(member: 'ca' | 'cert' | 'key', setting: Setting): TracingSettings['tls'] {
    const given = this.#ofExporter(setting);
    if (given === null) return {};
    try {
      return { [member]: readFileSync(resolve(this.#cwd, given.text), 'utf8') };
    } catch (error) {
      const { code = 'unreadable' } = error as NodeJS.ErrnoException;
      this.#fault(given.name, `names a file that cannot be read (${code})`);
      return {};
    }
  }

  #resource(): Readonly<Record<string, string>> {
    const name = this.#text('OTEL_SERVICE_NAME');
    const attributes = this.#pairs('OTEL_RESOURCE_ATTRIBUTES', resourcePairs);
    return name === undefined ? attributes : { ...attributes, 'service.name': name };
  }

  #sampler(): TracingSettings['sampler'] {
    const names = Object.keys(samplers) as (keyof typeof samplers)[];
    const { followParent, ratio } =
      samplers[this.#choice('OTEL_TRACES_SAMPLER', names) ?? 'parentbased_always_on'];
    const text = this.#text('OTEL_TRACES_SAMPLER_ARG');
    // The other samplers take no argument, and the variable may be there for another process.
    if (ratio !== null || text === undefined) return { followParent, ratio: ratio ?? 1 };
    const share = /^(?:0|1|0?\.\d+|[01]\.\d*)$/.test(text) ? Number(text) : Number.NaN;
    if (!(share >= 0 && share <= 1)) this.#fault('OTEL_TRACES_SAMPLER_ARG', 'must be a number from 0 to 1');
    return { followParent, ratio: share };
  }

  #acceptParents(): boolean {
    const listed = (this.#text('OTEL_PROPAGATORS') ?? 'tracecontext').split(',').map((name) => name.trim());
    if (!listed.every((name) => propagators.some((known) => known === name))) {
      this.#fault('OTEL_PROPAGATORS', `must be a list of ${propagators.join(', ')}`);
    }
    return listed.includes('tracecontext') && !listed.includes('none');
  }

  #batch(): TracingSettings['batch'] {
    const maxQueueSize = this.#number('OTEL_BSP_MAX_QUEUE_SIZE', 2_048);
    const name = 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE';
    const maxExportBatchSize = this.#number(name, Math.min(512, maxQueueSize));
    if (maxExportBatchSize > maxQueueSize) this.#fault(name, 'must not be above OTEL_BSP_MAX_QUEUE_SIZE');
    return {
      scheduledDelayMillis: this.#number('OTEL_BSP_SCHEDULE_DELAY', 5_000),
      exportTimeoutMillis: this.#number('OTEL_BSP_EXPORT_TIMEOUT', 30_000),
      maxQueueSize,
      maxExportBatchSize,
    };
  }
}
