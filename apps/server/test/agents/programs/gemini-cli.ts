import type { AgentProgram } from './agent-program.ts'
import { withMembers, writtenSetup } from './setup-blocks.ts'

const SETTINGS = '.gemini/settings.json'

export const geminiCli: AgentProgram = {
  id: 'gemini-cli',
  package: '@google/gemini-cli',
  client: 'gemini-cli',
  namesNoSession: true,
  command: 'gemini',
  dialect: 'gemini',
  start: (place) => {
    const { files, env } = writtenSetup('gemini-cli', { variant: 'settings', place })
    const members = {
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    }
    return {
      files: { [SETTINGS]: withMembers(files[SETTINGS], members) },
      args: ['--yolo', '--skip-trust', '--prompt', place.prompt],
      env: { ...env, GEMINI_TELEMETRY_ENABLED: 'false', GEMINI_CLI_NO_RELAUNCH: 'true' },
    }
  },
}
