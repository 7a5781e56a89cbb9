import type { AgentProgram } from './agent-program.ts'

const CLIENTS = {
  chat: '@ai-sdk/openai-compatible',
  responses: '@ai-sdk/openai',
  messages: '@ai-sdk/anthropic',
  gemini: '@ai-sdk/google',
} as const

/** OpenCode has a client for each wire format. */
export const opencodes: readonly AgentProgram[] = (['chat', 'responses', 'messages', 'gemini'] as const).map(
  (dialect): AgentProgram => ({
    id: `opencode-${dialect}`,
    package: 'opencode-ai',
    command: 'opencode',
    setup: 'postinstall.mjs',
    dialect,
    start: ({ address, key, model, home, prompt }) => ({
      files: {},
      args: ['run', '--model', `gateway/${model}`, '--auto', prompt],
      env: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify({
          autoupdate: false,
          share: 'disabled',
          provider: {
            gateway: {
              npm: CLIENTS[dialect],
              options: { baseURL: `${address}${dialect === 'gemini' ? '/v1beta' : '/v1'}`, apiKey: key },
              models: {
                [model]: { name: model, tool_call: true, limit: { context: 200_000, output: 8192 } },
              },
            },
          },
          model: `gateway/${model}`,
          small_model: `gateway/${model}`,
        }),
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        XDG_CONFIG_HOME: `${home}/config`,
        XDG_DATA_HOME: `${home}/data`,
        XDG_STATE_HOME: `${home}/state`,
        XDG_CACHE_HOME: `${home}/cache`,
      },
    }),
  }),
)
