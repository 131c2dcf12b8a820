import { askInputSchema } from '../core/questions/json-schema.ts';

// `build.mjs` replaces this module by its values, so that the bundled bridge carries neither zod's question schemas nor
// the time to evaluate them.

/** The tool's input as JSON Schema. */
export const INPUT_SCHEMA: Readonly<Record<string, unknown>> = askInputSchema();

/** The package's version; a bridge that was not built has none. */
export const VERSION: string = '0.0.0-source';
