/** Checks every import of the platform's packages against `table.mjs`. Run by `pnpm lint`; an argument names another root. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { areasWithoutHttp, httpNames, layers, packages } from './table.mjs';

const root = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '../..');
const importsOf =
  /^(?:import|export)(?: type)? (?:\{[^}]*\}|\*(?: as \w+)?|\w+(?:, \{[^}]*\})?) from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;

const faults = [];
for (const directory of packageDirectories()) {
  const name = nameOf(directory);
  const rule = packages[name];
  if (rule === undefined)
    faults.push(`${directory}: the package ${name} has no row in tools/import-rules/table.mjs`);
  else {
    checkPackage(directory, rule);
    if (areasWithoutHttp.includes(name)) checkHttpNames(directory);
  }
}
if (faults.length > 0) {
  console.error(
    `${faults.join('\n')}\n${faults.length} lines break the rules of tools/import-rules/table.mjs`,
  );
  process.exitCode = 1;
} else console.log('Imports follow tools/import-rules/table.mjs.');

function packageDirectories() {
  return ['packages', 'apps', 'examples']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
    .filter((directory) => existsSync(join(root, directory, 'src')));
}

function nameOf(directory) {
  const manifest = join(root, directory, 'package.json');
  if (!existsSync(manifest)) return directory.split('/').at(-1);
  return shortName(JSON.parse(readFileSync(manifest, 'utf8')).name);
}

/** `client` for `@platform/client` and for `platform-service-client`, the form of the two packages that others install. */
function shortName(name) {
  return name.replace(/^(?:@platform\/|platform-service-)/, '');
}

function checkPackage(directory, rule) {
  const graph = new Map();
  for (const file of sourcesOf(directory)) {
    const targets = [];
    for (const [, from, effect, dynamic] of readFileSync(join(root, file), 'utf8').matchAll(importsOf)) {
      const specifier = from ?? effect ?? dynamic;
      if (specifier.startsWith('.')) {
        const target = normalize(join(dirname(file), specifier));
        targets.push(target);
        checkInside(directory, file, target);
      } else if (!mayImport(directory, file, specifier, rule)) {
        faults.push(`${file}: may not import ${specifier}`);
      }
    }
    graph.set(file, targets);
  }
  for (const circle of circlesOf(graph)) faults.push(`circular import: ${circle.join(' -> ')}`);
}

function checkHttpNames(directory) {
  for (const file of sourcesOf(directory)) {
    const [name] = readFileSync(join(root, file), 'utf8').match(httpNames) ?? [];
    if (name !== undefined) faults.push(`${file}: may not name ${name}, which belongs to HTTP`);
  }
}

/** Test files are left out: a test may reach for whatever it needs. */
function sourcesOf(directory) {
  return readdirSync(join(root, directory, 'src'), { recursive: true })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts') && !file.endsWith('.d.ts'))
    .map((file) => join(directory, 'src', file))
    .sort();
}

function mayImport(directory, file, specifier, rule) {
  const inPackage = relative(join(directory, 'src'), file);
  const wires = rule.wires === true && (inPackage === 'wire.ts' || inPackage.startsWith('wire/'));
  const [, platform] = specifier.match(/^(?:@platform\/|platform-service-)(.+)$/) ?? [];
  if (platform !== undefined) {
    // A deep path is no row of the table, so only root entries pass.
    return (wires && platform in packages) || rule.platform.includes(platform);
  }
  return rule.external.some((allowed) =>
    allowed.endsWith('*')
      ? specifier.startsWith(allowed.slice(0, -1))
      : specifier === allowed || specifier.startsWith(`${allowed}/`),
  );
}

function checkInside(directory, file, target) {
  if (!target.startsWith(`${directory}/`))
    faults.push(`${file}: may not import ${target}, a file of another package`);
  const isArea = existsSync(join(root, directory, 'src/usecases'));
  const layerOf = (path) => relative(join(directory, 'src'), path).split('/')[0];
  const allowed = layers[layerOf(file)];
  const layer = layerOf(target);
  if (isArea && allowed !== undefined && layer in layers && !allowed.includes(layer)) {
    faults.push(`${file}: ${layerOf(file)} may not import ${layer} (${target})`);
  }
}

/** One circle for each import that closes one; imports of types count, because they too are read together. */
function circlesOf(graph) {
  const circles = [];
  const done = new Set();
  const path = [];
  const visit = (file) => {
    const start = path.indexOf(file);
    if (start >= 0) circles.push([...path.slice(start), file]);
    if (start >= 0 || done.has(file)) return;
    path.push(file);
    for (const target of graph.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return circles;
}
