// Claude, run by the Claude Agent SDK, asks its operators and is gated by them.
//
//   node examples/claude-agent.mjs           a stand-in makes the calls; decided by claude-agent.script.json
//   node examples/claude-agent.mjs --live    the real SDK (npm install @anthropic-ai/claude-agent-sdk) and your chat
import { fileURLToPath } from 'node:url';
import { openHandraise } from 'handraise';

const live = process.argv.includes('--live');
const script = fileURLToPath(new URL('claude-agent.script.json', import.meta.url));
const handraise = await openHandraise({ agent: 'release-notes', ...(live ? {} : { script }) });

async function runWithSdk() {
  const { query } = await import('@anthropic-ai/claude-agent-sdk');
  const prompt = 'Write release notes into NOTES.md. Ask which audience they are for.';
  // Your own options go in there, so that handraise can add its own to them.
  const options = handraise.claudeOptions({ settingSources: ['project'] });
  for await (const message of query({ prompt, options })) {
    if (message.type === 'result') console.log(message.result ?? message.subtype);
  }
}

/** Makes the calls that the SDK would make for such a run: what its hooks tell, then the permission. */
async function runWithStandIn() {
  const { canUseTool, hooks } = handraise.claudeOptions();
  const common = { session_id: 'session-1', prompt_id: 'prompt-1', cwd: process.cwd() };
  const tell = async (event, facts) => {
    for (const { hooks: callbacks } of hooks[event]) {
      for (const hook of callbacks) await hook({ ...common, hook_event_name: event, ...facts });
    }
  };
  const call = async (id, name, input) => {
    await tell('PreToolUse', { tool_use_id: id, tool_name: name, tool_input: input });
    return canUseTool(name, input, { signal: new AbortController().signal, toolUseID: id });
  };

  await tell('UserPromptSubmit', {});
  const questions = [
    {
      question: 'Who are the notes for?',
      header: 'Audience',
      options: [
        { label: 'Users (Recommended)', description: 'What changes for them.' },
        { label: 'Developers', description: 'What changed inside.' },
      ],
      multiSelect: false,
    },
  ];
  const asked = await call('toolu_1', 'AskUserQuestion', { questions });
  console.log('AskUserQuestion:', asked.behavior, JSON.stringify(asked.updatedInput?.answers));
  for (const [id, command] of [
    ['toolu_2', 'git status'],
    ['toolu_3', 'git push origin main'],
  ]) {
    const { behavior, message = '' } = await call(id, 'Bash', { command });
    console.log(`${command}: ${behavior}`, message.split('\n')[1] ?? '');
  }
  await tell('Stop', {});
}

try {
  await (live ? runWithSdk() : runWithStandIn());
} finally {
  await handraise.close();
}
