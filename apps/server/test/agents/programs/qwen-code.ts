import type { AgentProgram } from './agent-program.ts'
import { withMembers, writtenSetup } from './setup-blocks.ts'

const SETTINGS = '.qwen/settings.json'

export const qwenCode: AgentProgram = {
  id: 'qwen-code',
  package: '@qwen-code/qwen-code',
  client: 'qwen-code',
  namesNoSession: true,
  command: 'qwen',
  dialect: 'chat',
  start: (place) => {
    const { files, env } = writtenSetup('qwen-code', { variant: 'settings', place })
    const members = {
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false },
    }
    return {
      files: { [SETTINGS]: withMembers(files[SETTINGS], members) },
      args: ['--yolo', place.prompt],
      env,
    }
  },
}
