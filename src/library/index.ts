// What `import { … } from 'handraise'` gives. Everything else in the package may change at any time.
export { HandraiseError } from '../core/errors.ts';
export type { DenialKind, ToolCall } from '../core/ports/gate.ts';
export type { SubAgent } from '../core/sub-agent.ts';
export type { Answered, Asked, NotAnswered } from '../owner/asked.ts';
export type { Proposed } from '../owner/propose-once.ts';
export type {
  CanUseTool,
  CanUseToolOptions,
  ClaudeAgentOptions,
  HookCallback,
  HookMatcher,
  PermissionResult,
} from './claude-agent-types.ts';
export { openHandraise } from './open.ts';
export type {
  AskOptions,
  GateFacts,
  GateReply,
  Handraise,
  HandraiseGate,
  HandraiseOptions,
  OptionToOffer,
  ProposeOptions,
  QuestionsToAsk,
  QuestionToAsk,
  StepToPropose,
} from './types.ts';
