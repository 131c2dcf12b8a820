import { DockerfileParser } from 'dockerfile-ast';
import type { Instruction } from 'dockerfile-ast/lib/instruction.js';
import type { JSONInstruction } from 'dockerfile-ast/lib/jsonInstruction.js';
import type { ModifiableInstruction } from 'dockerfile-ast/lib/modifiableInstruction.js';
import type { PropertyInstruction } from 'dockerfile-ast/lib/propertyInstruction.js';

export type Step =
  | { readonly kind: 'workdir'; readonly path: string }
  | { readonly kind: 'run'; readonly command: string }
  | {
      readonly kind: 'copy';
      /** Name of a stage; absent: the build context. */
      readonly from?: string;
      readonly owner?: string;
      readonly sources: readonly string[];
      readonly target: string;
    };

export interface Stage {
  readonly base: string;
  readonly name?: string;
  readonly steps: readonly Step[];
}

/** What the last stage says about its containers. */
export interface Image {
  readonly env: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly user: string;
  readonly stopSignal: string;
  readonly healthcheck: readonly string[];
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
}

export interface ReadDockerfile {
  readonly stages: readonly Stage[];
  readonly image: Image;
  /** Names that ARG and ENV set, in every stage. */
  readonly variables: readonly string[];
}

/** Reads the instructions this repository uses; any other one throws, so that no step is passed over in silence. */
export function readDockerfile(text: string): ReadDockerfile {
  const stages: { base: string; name?: string; steps: Step[] }[] = [];
  const empty = { env: {}, labels: {}, volumes: [], user: 'root', stopSignal: '', healthcheck: [], entrypoint: [] };
  let image: Image = { ...empty, command: [] };
  const variables: string[] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const words = instruction.getArguments().map((argument) => argument.getValue());
    const raw = instruction.getRawArgumentsContent() ?? '';
    const [first = ''] = words;
    const step = (one: Step) => stages.at(-1)?.steps.push(one);
    switch (instruction.getKeyword()) {
      case 'FROM':
        stages.push({ base: first, steps: [], ...(words[2] === undefined ? {} : { name: words[2] }) });
        image = { ...empty, command: [] };
        break;
      case 'WORKDIR':
        step({ kind: 'workdir', path: first });
        break;
      case 'RUN':
        step({ kind: 'run', command: raw });
        break;
      case 'COPY':
        step(copy(instruction as ModifiableInstruction, words));
        break;
      case 'ARG':
        variables.push(first.split('=')[0] ?? '');
        break;
      case 'ENV':
        image = { ...image, env: { ...image.env, ...properties(instruction) } };
        variables.push(...Object.keys(properties(instruction)));
        break;
      case 'LABEL':
        image = { ...image, labels: { ...image.labels, ...properties(instruction) } };
        break;
      case 'VOLUME':
        image = { ...image, volumes: [...image.volumes, ...words] };
        break;
      case 'USER':
        image = { ...image, user: first };
        break;
      case 'STOPSIGNAL':
        image = { ...image, stopSignal: first };
        break;
      case 'HEALTHCHECK':
        image = { ...image, healthcheck: JSON.parse(raw.slice(raw.indexOf('['))) };
        break;
      case 'ENTRYPOINT':
        image = { ...image, entrypoint: execForm(instruction) };
        break;
      case 'CMD':
        image = { ...image, command: execForm(instruction) };
        break;
      default:
        throw new Error(`this test does not know ${instruction.getKeyword()}; teach it, or do without`);
    }
  }
  return { stages, image, variables };
}

function copy(instruction: ModifiableInstruction, words: readonly string[]): Step {
  const flags = new Map(instruction.getFlags().map((flag) => [flag.getName(), flag.getValue() ?? '']));
  const [from, owner] = [flags.get('from'), flags.get('chown')];
  return {
    kind: 'copy',
    sources: words.slice(0, -1),
    target: words.at(-1) ?? '',
    ...(from === undefined ? {} : { from }),
    ...(owner === undefined ? {} : { owner }),
  };
}

function properties(instruction: Instruction): Record<string, string> {
  const pairs = (instruction as PropertyInstruction).getProperties();
  return Object.fromEntries(pairs.map((pair) => [pair.getName(), pair.getValue() ?? '']));
}

/** The shell form would put a shell between the signal and the program. */
function execForm(instruction: Instruction): string[] {
  const words = (instruction as JSONInstruction).getJSONStrings().map((one) => one.getJSONValue());
  if (words.length === 0) throw new Error(`${instruction.getKeyword()} is not in exec form`);
  return words;
}
