export { Feed, type WaitOptions } from './feed.ts';
export type { ModelRequest, ToolResult } from './request.ts';
export { call, fail, type Reply, type Script, type ScriptFunction, type Step, say, type ToolCall } from './script.ts';
export { type ModelServer, startModelServer } from './server.ts';
