import { expect, it } from 'vitest'
import { clientOf } from './client.ts'

it.each([
  ['claude-cli/2.1.19 (external, cli)', 'claude-code', '2.1.19'],
  ['codex_cli_rs/0.125.0 (Debian 12.0.0; x86_64) xterm', 'codex', '0.125.0'],
  ['codex_exec/0.130.0-alpha.2 (Mac OS 15.1; arm64)', 'codex', '0.130.0-alpha.2'],
  ['codex-tui/0.131.0', 'codex', '0.131.0'],
  ['GeminiCLI/0.20.0/gemini-2.5-pro (linux; x64)', 'gemini-cli', '0.20.0'],
  ['QwenCode/0.5.1 (linux; x64)', 'qwen-code', '0.5.1'],
  ['opencode/1.0.220 ai-sdk/provider-utils/3.0.1', 'opencode', '1.0.220'],
  ['opencode/local/1.0.220', 'opencode', '1.0.220'],
  ['ai-sdk/openai/2.0.1 opencode/1.1.0', 'opencode', '1.1.0'],
  ['Cursor/2.1.0', 'cursor', '2.1.0'],
  ['Cline/3.40.0', 'cline', '3.40.0'],
  ['OpenAI/Python 1.109.1', 'openai-sdk', '1.109.1'],
  ['AsyncOpenAI/Python 2.8.0', 'openai-sdk', '2.8.0'],
  ['OpenAI/JS 6.9.1', 'openai-sdk', '6.9.1'],
  ['Anthropic/Python 0.75.0', 'anthropic-sdk', '0.75.0'],
  ['google-genai-sdk/1.30.0 gl-node/v24.1.0', 'google-sdk', '1.30.0'],
  ['curl/8.5.0', 'other', ''],
  ['myopencode/1.0', 'other', ''],
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/141.0', 'other', ''],
  ['claude-cli', 'claude-code', ''],
  ['', 'other', ''],
])('the user agent "%s" is that of %s, version "%s"', (userAgent, name, version) => {
  expect(clientOf(userAgent)).toEqual({ name, version })
})

it('a call without a user agent is of another client', () => {
  expect(clientOf(undefined)).toEqual({ name: 'other', version: '' })
})

it('a version is bounded', () => {
  expect(clientOf(`claude-cli/1${'0'.repeat(200)}`).version.length).toBeLessThanOrEqual(33)
})
