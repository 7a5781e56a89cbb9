import type { AgentProgram } from './agent-program.ts'

export const qwenCode: AgentProgram = {
  id: 'qwen-code',
  package: '@qwen-code/qwen-code',
  command: 'qwen',
  dialect: 'chat',
  start: ({ address, key, model, prompt }) => ({
    files: {
      '.qwen/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'openai' } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false },
      }),
    },
    args: ['--yolo', '--auth-type', 'openai', '--model', model, prompt],
    env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: `${address}/v1`, OPENAI_MODEL: model },
  }),
}
