import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askableBinding, bindingFor, resolvedPattern } from '../../../src/config/binding.ts';
import type { Binding } from '../../../src/config/schema.ts';
import type { SessionFacts } from '../../../src/core/request.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'handraise-config-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('a binding', () => {
  const facts: SessionFacts = {
    sessionId: 's1',
    agent: 'claude-code',
    workspace: '/w/api',
    branch: 'feature/x',
    startedBy: 'a@b',
  };
  const inOrder: Binding[] = [
    { workspace: '/w/web' },
    { workspace: '/w/*', branch: 'main' },
    { session: 's1', agent: 'claude-*', branch: 'feature/*' },
    { workspace: '*' },
  ].map((match, index) => ({
    match,
    slack: { channel: `C0${index}` },
    questions: { mode: 'ask', operators: '*', waitMs: 1 } as const,
  }));

  it('is the first whose every pattern matches', () => {
    expect(bindingFor(inOrder, facts)?.slack?.channel).toBe('C02');
    expect(bindingFor(inOrder, { ...facts, branch: 'main' })?.slack?.channel).toBe('C01');
    expect(bindingFor(inOrder, { ...facts, workspace: '/w/web' })?.slack?.channel).toBe('C00');
  });

  it('is none when nothing matches', () => {
    expect(bindingFor(inOrder.slice(0, 1), facts)).toBeUndefined();
    expect(bindingFor([], facts)).toBeUndefined();
  });

  it('with mode: deny lets nobody be asked, whatever comes after it', () => {
    const [first, ...rest] = inOrder.map((binding) => ({ ...binding, match: { workspace: '*' } }));
    if (first === undefined) throw new Error('there are bindings');
    const denying: Binding = { ...first, questions: { ...first.questions, mode: 'deny' } };
    expect(askableBinding([first, ...rest], facts)).toBe(first);
    expect(askableBinding([denying, ...rest], facts)).toBeUndefined();
    expect(askableBinding([], facts)).toBeUndefined();
  });

  it('with a branch is not for a run outside git', () => {
    const { branch: _, ...outside } = facts;
    const [any] = inOrder.map((binding) => ({ ...binding, match: { branch: '*' } }));
    expect(bindingFor(any === undefined ? [] : [any], outside)).toBeUndefined();
  });

  it('matches real paths, so its own links and ~ are resolved', async () => {
    mkdirSync(join(home, 'real/api'), { recursive: true });
    symlinkSync(join(home, 'real'), join(home, 'link'));
    const patternOf = (pattern: string) => resolvedPattern(pattern, { HOME: home });
    expect(await patternOf(`${home}/link/*`)).toBe(`${home}/real/*`);
    expect(await patternOf('~/link/api/')).toBe(`${home}/real/api`);
    expect(await patternOf('~/link/not-yet/*')).toBe(`${home}/real/not-yet/*`);
    expect(await patternOf('**/api')).toBe('**/api');
    expect(await patternOf('/*')).toBe('/*');
    expect(await patternOf('*')).toBe('*');
  });
});
