import type { CallFacts, ToolCall } from '../core/ports/gate.ts';
import type { ProposedProgram, ProposedTarget } from '../core/proposals/contract.ts';
import type { JudgedStep } from './grants/step.ts';

/** A tool call as the gate judges it: what it would do, why, and what people have to know to decide. */
export interface GatedStep extends JudgedStep {
  /** For people: what made the effect what it is. */
  readonly reason: string;
  /** The part of a command that decided. */
  readonly part?: string;
  readonly programs: readonly ProposedProgram[];
  readonly targets: readonly ProposedTarget[];
  readonly hosts: readonly string[];
  /** It is put to people although it only reads: a setting says so. */
  readonly asked?: boolean;
}

/** Judges a call by what it would do now: reads the disk where that decides (links, repository configuration). */
export type ClassifyCall = (call: ToolCall, facts: CallFacts) => Promise<GatedStep> | GatedStep;
