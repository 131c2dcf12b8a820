// Builds dist (`node build.mjs bridge`: only the bridge): tsc's output as it is (real stack traces), the files that are not TypeScript, and the bridge as one
// minified file with a V8 code cache, since every start of an agent pays for the bridge's own start.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Files beside the sources that dist needs; a folder is copied whole. */
const ASSETS = ['test/doubles/playground/page', 'src/store/redis/scripts'];

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, 'dist');

/**
 * Starts the bridge with its compiled code. V8 refuses a cache of another version or other flags and compiles afresh;
 * it recognises the source by its length only, so the digests are compared, too.
 */
const START = `'use strict';
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');
const filename = __dirname + '/mcp.cjs';
const source = readFileSync(filename, 'latin1');
let cachedData;
try {
  const cache = readFileSync(__dirname + '/mcp.cache');
  if (cache.latin1Slice(0, 16) === source.slice(-17, -1)) cachedData = cache.subarray(16);
} catch {
  // Without a cache it only starts more slowly.
}
new Script('(function(require){' + source + '})', { filename, cachedData }).runInThisContext()(require);
`;

const onlyBridge = process.argv[2] === 'bridge';
if (!onlyBridge) rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
await buildBridge();
await buildHook();
if (!onlyBridge) buildTheRest();

function buildTheRest() {
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
    const types = join(dist, 'types');
    const declare = [tsc, '-p', 'tsconfig.library.json', '--outDir', types];
    execFileSync(process.execPath, declare, { cwd: root, stdio: 'inherit' });
    copyTypes(types, 'src/library/index.ts');
    rmSync(types, { recursive: true });
  } catch {
    // tsc has printed what is wrong; a stack of this script would only hide it.
    process.exitCode = 1;
  }
  for (const asset of ASSETS) {
    cpSync(join(root, asset), join(dist, asset), { recursive: true });
  }
}

/** What `import … from 'handraise'` declares, and what that stands on: no more of it is anybody's to rely on. */
function copyTypes(types, entry) {
  const left = [entry];
  const done = new Set();
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (done.has(path)) continue;
    done.add(path);
    const declared = readFileSync(join(types, path.replace(/\.ts$/, '.d.ts')), 'utf8');
    for (const [, to] of declared.matchAll(/ from '(\.[^']+\.ts)'/g)) left.push(join(dirname(path), to));
    // tsc keeps the endings of the sources here; every version understands those of the program.
    writeFileSync(join(dist, path.replace(/\.ts$/, '.d.ts')), declared.replaceAll(/( from '\.[^']+)\.ts'/g, "$1.js'"));
  }
}

/** dist/mcp.cjs (runs by itself), dist/mcp.cache (its compiled code) and dist/mcp-start.cjs (starts it with the cache). */
async function buildBridge() {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'src/bridge/mcp.ts')],
    bundle: true,
    write: false,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    legalComments: 'none',
    // Plain ASCII can be read as Latin-1, which V8 keeps as it is.
    charset: 'ascii',
    plugins: [withFacts(await buildFacts()), withoutUnusedParts()],
    // zod would otherwise compile validators with `new Function` at every start.
    banner: { js: '(globalThis.__zod_globalConfig??={}).jitless=true;' },
  });
  const source = outputFiles[0].text;
  const digest = createHash('sha256').update(source).digest('hex').slice(0, 16);
  writeFileSync(join(dist, 'mcp.cjs'), `${source}//${digest}\n`);
  writeFileSync(join(dist, 'mcp-start.cjs'), START);
  makeCodeCache(digest);
}

/** dist/hook.cjs: called before each step of an agent, so that it loads little more than a socket. */
async function buildHook() {
  await build({
    entryPoints: [join(root, 'src/bridge/hook.ts')],
    outfile: join(dist, 'hook.cjs'),
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    legalComments: 'none',
  });
}

/** What `src/bridge/build-facts.ts` holds, evaluated now instead of at every start. */
async function buildFacts() {
  const entryPoints = [join(root, 'src/bridge/build-facts.ts')];
  const { outputFiles } = await build({ entryPoints, bundle: true, write: false, platform: 'node', format: 'esm' });
  const module = Buffer.from(outputFiles[0].contents).toString('base64');
  const { INPUT_SCHEMA } = await import(`data:text/javascript;base64,${module}`);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return `export const INPUT_SCHEMA = ${JSON.stringify(INPUT_SCHEMA)};\nexport const VERSION = ${JSON.stringify(version)};`;
}

function withFacts(contents) {
  return {
    name: 'build-facts',
    setup({ onLoad }) {
      onLoad({ filter: /src\/bridge\/build-facts\.ts$/ }, () => ({ contents, loader: 'js' }));
    },
  };
}

/** Leaves out what the SDK's server imports and the bridge never uses: Ajv, zod 3 and most message schemas. */
function withoutUnusedParts() {
  const js = (contents) => ({ contents, loader: 'js' });
  return {
    name: 'without-unused-parts',
    setup({ onLoad, onResolve, resolve }) {
      onLoad({ filter: /sdk\/dist\/esm\/validation\/ajv-provider\.js$/ }, () =>
        js('export class AjvJsonSchemaValidator {}'),
      );
      onResolve({ filter: /^(zod\/v3|zod-to-json-schema)$/ }, ({ path }) => ({ path, namespace: 'unused' }));
      onLoad({ filter: /.*/, namespace: 'unused' }, () => js('export const object = 0, zodToJsonSchema = 0;'));
      onLoad({ filter: /sdk\/dist\/esm\/types\.js$/ }, ({ path }) => js(withPureSchemas(readFileSync(path, 'utf8'))));
      // Importing a file of our core does nothing by itself, so one of which nothing is used can go.
      onResolve({ filter: /^\.\.?\/.*\.ts$/ }, async ({ path, pluginData, ...rest }) => {
        if (pluginData === 'resolved') return undefined;
        const found = await resolve(path, { ...rest, pluginData: 'resolved' });
        return found.path.includes(join('src', 'core')) ? { path: found.path, sideEffects: false } : undefined;
      });
    },
  };
}

/** Marks each schema of the SDK as removable. Fails when the SDK is not written as expected any more. */
function withPureSchemas(source) {
  let marked = 0;
  const pure = source.replace(
    /^((?:export )?const \w+Schema = )([\s\S]*?);$(?=\n(?:[^\s})]|$))/gm,
    (_, declaration, schema) => {
      marked += 1;
      return `${declaration}/* @__PURE__ */ (() => ${schema})();`;
    },
  );
  if (marked < 150) throw new Error(`only ${marked} schemas found in the MCP SDK's types.js; has it changed?`);
  return pure;
}

/** Runs the bridge once, so that the cache holds what a start really compiles. */
function makeCodeCache(digest) {
  const maker = `
    const { readFileSync, writeFileSync } = require('node:fs');
    const { Script } = require('node:vm');
    const [source, cache, digest] = process.argv.slice(1);
    const script = new Script('(function(require){' + readFileSync(source, 'utf8') + '})', { filename: source });
    process.argv = [process.argv[0], source];
    process.once('exit', () => writeFileSync(cache, Buffer.concat([Buffer.from(digest), script.createCachedData()])));
    script.runInThisContext()(require);`;
  const client = { name: 'build', version: '0' };
  const lines = [
    { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: client } },
    { method: 'notifications/initialized' },
    { id: 1, method: 'tools/list' },
  ];
  const input = lines.map((line) => `${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`).join('');
  const args = ['-e', maker, join(dist, 'mcp.cjs'), join(dist, 'mcp.cache'), digest];
  const output = execFileSync(process.execPath, args, { input, encoding: 'utf8', timeout: 20_000 });
  if (!output.includes('"name":"ask"')) throw new Error(`the built bridge does not list its tool: ${output}`);
}
