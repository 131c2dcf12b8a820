import { join } from 'node:path';

/** What the tests look at in compose.yaml. */
export interface Compose {
  readonly services: {
    readonly redis: {
      readonly image: string;
      readonly command: readonly string[];
      readonly secrets: readonly string[];
      readonly volumes: readonly string[];
      readonly ports: readonly string[];
      readonly healthcheck: { readonly test: readonly string[] };
    };
    readonly gateway: {
      readonly depends_on: unknown;
      readonly environment: Readonly<Record<string, string>>;
      readonly secrets: readonly string[];
      readonly volumes: readonly string[];
      readonly stop_grace_period: string;
    };
  };
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

/** Where an absolute path of a container lies, when a folder stands for its root. */
export function inContainer(root: string): (path: string) => string {
  return (path) => (path.startsWith('/') ? join(root, path) : path);
}
