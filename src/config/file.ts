import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Document, LineCounter, parseDocument } from 'yaml';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import type { LinkedPerson } from '../core/policy/identities.ts';
import { type Complaint, complaintsOf } from './complaints.ts';
import type { GateConfig } from './gate.ts';
import { configDirectory } from './home.ts';
import { type BindingValues, fileSchema, type Origins, SETTINGS, type ValueOrigin } from './schema.ts';

/** A file somebody named, and how: relative paths count from the working directory. */
export interface NamedFile {
  readonly path: string;
  readonly namedBy: '--config' | 'HANDRAISE_CONFIG';
}

/**
 * Reads the named file, or the user's own one if there is one. The working directory is never searched: an agent can
 * write there. Throws `configuration` naming file, line and cure.
 */
export async function readConfigFile(named: NamedFile | undefined, env: NodeJS.ProcessEnv): Promise<ReadFile> {
  const path = named === undefined ? usersOwnFile(env) : resolve(named.path);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (thrown) {
    const absent = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
    if (absent && named === undefined) return { bindings: [], origins: new Map() };
    throw new HandraiseError(
      absent ? `there is no configuration file ${path}` : `cannot read ${path}: ${sentenceOf(thrown)}`,
      {
        code: 'configuration',
        hint:
          named === undefined ? 'Make it readable, or move it away.' : `Correct the path given in ${named.namedBy}.`,
        cause: thrown,
      },
    );
  }
  return parseConfig(text, path);
}

/** One binding of the file, and the lines its settings stand on. */
export interface ReadBinding {
  readonly values: BindingValues;
  readonly origins: Origins;
}

/** What a configuration file says. `origins` are those of what stands outside the bindings. */
export interface ReadFile {
  readonly bindings: readonly ReadBinding[];
  readonly people?: readonly LinkedPerson[];
  readonly gate?: GateConfig;
  readonly retentionMs?: number;
  readonly redisUrl?: string;
  readonly listen?: string;
  readonly controlSocket?: string;
  readonly signingKeyFile?: string;
  readonly verdictKeys?: readonly string[];
  readonly origins: ReadonlyMap<string, ValueOrigin>;
}

/** Judges the text of a configuration file; `path` is for messages and origins only. */
export function parseConfig(text: string, path: string): ReadFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const lineOf = (offset: number | undefined) =>
    offset === undefined ? path : `${path}:${Math.max(1, lines.linePos(offset).line)}`;
  const content = contentOf(document, lineOf);
  const parsed = fileSchema.safeParse(content, { reportInput: true });
  if (!parsed.success) throw refusal(complaintsOf(parsed.error), (at) => lineOf(offsetOf(document, at)));
  const originAt = (at: readonly PropertyKey[]): ValueOrigin => ({
    from: 'file',
    name: lineOf(offsetOf(document, at)),
  });
  const bindings = parsed.data.bindings.map((values, index) => {
    const origins: Origins = {};
    for (const setting of SETTINGS) {
      const at = ['bindings', index, ...setting.split('.')];
      if (document.hasIn(at)) origins[setting] = originAt(at);
    }
    return { values, origins };
  });
  const { gate, people, redis, gateway, trust, audit } = parsed.data;
  const origins = new Map<string, ValueOrigin>();
  for (const key of Object.keys(gate ?? {})) {
    if (document.hasIn(['gate', key])) origins.set(`gate.${key}`, originAt(['gate', key]));
  }
  if (people !== undefined) origins.set('people', originAt(['people']));
  if (redis !== undefined) origins.set('redis.url', originAt(['redis', 'url']));
  for (const key of ['listen', 'controlSocket', 'signingKeyFile'] as const) {
    if (gateway?.[key] !== undefined) origins.set(`gateway.${key}`, originAt(['gateway', key]));
  }
  if (trust !== undefined) origins.set('trust.verdictKeys', originAt(['trust', 'verdictKeys']));
  if (audit?.retention !== undefined) origins.set('audit.retention', originAt(['audit', 'retention']));
  return {
    bindings,
    ...(audit?.retention === undefined ? {} : { retentionMs: audit.retention }),
    ...(gate === undefined ? {} : { gate }),
    ...(people === undefined ? {} : { people }),
    ...(redis === undefined ? {} : { redisUrl: redis.url }),
    ...(gateway?.listen === undefined ? {} : { listen: gateway.listen }),
    ...(gateway?.controlSocket === undefined ? {} : { controlSocket: gateway.controlSocket }),
    ...(gateway?.signingKeyFile === undefined ? {} : { signingKeyFile: gateway.signingKeyFile }),
    ...(trust === undefined ? {} : { verdictKeys: trust.verdictKeys }),
    origins,
  };
}

function contentOf(document: Document.Parsed, lineOf: (offset: number | undefined) => string): unknown {
  const [broken] = document.errors;
  try {
    if (broken !== undefined) throw broken;
    return document.toJS() ?? {};
  } catch (thrown) {
    // `toJS` itself refuses aliases that are unknown or multiply without end.
    const [sentence] = sentenceOf(thrown).split('\n');
    throw new HandraiseError(`${lineOf(broken?.pos[0])}: ${sentence?.replace(/ at line .*/, '')}`, {
      code: 'configuration',
      hint: 'The file is YAML (or JSON).',
      cause: thrown,
    });
  }
}

function usersOwnFile(env: NodeJS.ProcessEnv): string {
  return join(configDirectory(env), 'handraise.yaml');
}

/** Most complaints one message lists; the rest come up once these are cured. */
const MOST_COMPLAINTS = 3;

function refusal(complaints: readonly Complaint[], where: (path: readonly PropertyKey[]) => string): HandraiseError {
  const shown = complaints.slice(0, MOST_COMPLAINTS).map(({ path, sentence }) => `${where(path)}: ${sentence}`);
  const more = complaints.length - shown.length;
  const hint = complaints.find((complaint) => complaint.hint !== undefined)?.hint;
  return new HandraiseError(`${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`, {
    code: 'configuration',
    ...(hint === undefined ? {} : { hint }),
  });
}

/** Where a value starts; for one that is missing, where the nearest thing around it starts. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    const start = (node as { range?: readonly number[] | null } | null | undefined)?.range?.[0];
    if (start !== undefined) return start;
  }
  return undefined;
}
