import type { AgentProgram } from './agent-program.ts'
import { withMembers, writtenSetup } from './setup-blocks.ts'

/** OpenCode has a client for each wire format. */
export const opencodes: readonly AgentProgram[] = (['chat', 'responses', 'messages', 'gemini'] as const).map(
  (dialect): AgentProgram => ({
    id: `opencode-${dialect}`,
    package: 'opencode-ai',
    client: 'opencode',
    command: 'opencode',
    setup: 'postinstall.mjs',
    dialect,
    start: (place) => {
      const { home, model, prompt } = place
      const { files } = writtenSetup('opencode', { variant: dialect, place })
      const config = files['.config/opencode/opencode.json']
      return {
        files: {
          'config/opencode/opencode.json': withMembers(config, { autoupdate: false, share: 'disabled' }),
        },
        args: ['run', '--model', `gateway/${model}`, '--auto', prompt],
        env: {
          OPENCODE_DISABLE_AUTOUPDATE: '1',
          OPENCODE_DISABLE_MODELS_FETCH: '1',
          OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
          XDG_CONFIG_HOME: `${home}/config`,
          XDG_DATA_HOME: `${home}/data`,
          XDG_STATE_HOME: `${home}/state`,
          XDG_CACHE_HOME: `${home}/cache`,
        },
      }
    },
  }),
)
