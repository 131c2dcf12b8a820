import { describe, expect, it } from 'vitest';
import { askInputSchema } from '../../../../src/core/questions/json-schema.ts';

describe('the JSON Schema shown to models', () => {
  const schema = askInputSchema() as {
    required: string[];
    additionalProperties: boolean;
    properties: { questions: { items: Node; minItems: number; maxItems: number }; metadata: unknown };
  };
  interface Node {
    required: string[];
    additionalProperties: boolean;
    properties: Record<string, Record<string, unknown> & { items?: Node; minItems?: number; maxItems?: number }>;
  }
  const question = schema.properties.questions.items;
  const options = question.properties['options'];

  it('is an object with a list of one to four questions', () => {
    expect(schema).toMatchObject({ type: 'object', required: ['questions'], additionalProperties: false });
    expect(schema.properties.questions).toMatchObject({ type: 'array', minItems: 1, maxItems: 4 });
    expect(schema).not.toHaveProperty('$schema');
  });

  it('demands multiSelect, without a default that would invite to leave it out', () => {
    expect(question.required).toEqual(['question', 'header', 'options', 'multiSelect']);
    expect(question.properties['multiSelect']).toEqual({ type: 'boolean', description: expect.any(String) });
  });

  it('tells the limits of header and options', () => {
    expect(question.properties['header']).toMatchObject({ type: 'string', minLength: 1, maxLength: 12 });
    expect(options).toMatchObject({ type: 'array', minItems: 2, maxItems: 4 });
  });

  it('demands label and description of an option; a preview is free', () => {
    expect(options?.items).toMatchObject({ required: ['label', 'description'], additionalProperties: false });
    expect(Object.keys(options?.items?.properties ?? {})).toEqual(['label', 'description', 'preview']);
  });

  it('describes every field to the model', () => {
    const fields = [...Object.values(question.properties), ...Object.values(options?.items?.properties ?? {})];
    const undescribed = fields.filter(
      (field) => field['items'] === undefined && typeof field['description'] !== 'string',
    );
    expect(undescribed).toEqual([]);
  });

  it('is plain data: what it says survives JSON', () => {
    expect(JSON.parse(JSON.stringify(askInputSchema()))).toEqual(askInputSchema());
  });
});
