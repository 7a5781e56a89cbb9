import type { AgentProgram } from './agent-program.ts'

export const geminiCli: AgentProgram = {
  id: 'gemini-cli',
  package: '@google/gemini-cli',
  command: 'gemini',
  dialect: 'gemini',
  start: ({ address, key, model, prompt }) => ({
    files: {
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      }),
    },
    args: ['--yolo', '--skip-trust', '--model', model, '--prompt', prompt],
    env: {
      GEMINI_API_KEY: key,
      GOOGLE_GEMINI_BASE_URL: address,
      GEMINI_TELEMETRY_ENABLED: 'false',
      GEMINI_CLI_NO_RELAUNCH: 'true',
    },
  }),
}
