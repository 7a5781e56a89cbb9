import type { AgentProgram } from './agent-program.ts'
import { writtenSetup } from './setup-blocks.ts'

const CONFIG = '.codex/config.toml'

/** Default configuration: the tools for sub-agents arrive in a namespace. */
export const codex: AgentProgram = codexWith('codex', { search: 'disabled' })

export const codexWithSearch: AgentProgram = codexWith('codex-search', { search: 'live' })

/** With this model name, patches are free text and further tools are found through a search tool. */
export const codexByNewName: AgentProgram = codexWith('codex-gpt-5.5', {
  search: 'disabled',
  model: 'gpt-5.5',
})

/** With this model name, the tools arrive as an item of the conversation. */
export const codexByNewestName: AgentProgram = codexWith('codex-gpt-6.1', {
  search: 'disabled',
  model: 'gpt-6.1-sol',
})

/** Its calls are frames of a WebSocket, each with only what is new. */
export const codexOverWebSocket: AgentProgram = codexWith('codex-websocket', {
  search: 'disabled',
  usesWebSocket: true,
})

function codexWith(
  id: string,
  {
    search,
    model: name,
    usesWebSocket = false,
  }: { search: 'disabled' | 'live'; model?: string; usesWebSocket?: boolean },
): AgentProgram {
  return {
    id,
    ...(name !== undefined && { model: name }),
    usesWebSocket,
    package: '@openai/codex',
    client: 'codex',
    command: 'codex',
    dialect: 'responses',
    start: (place) => {
      const { home, folder, prompt } = place
      const { files, env } = writtenSetup('codex', { variant: usesWebSocket ? 'websocket' : 'http', place })
      const settings = `web_search = "${search}"\ncheck_for_update_on_startup = false\nanalytics = { enabled = false }\n`
      return {
        files: { [CONFIG]: `${settings}${files[CONFIG] ?? ''}` },
        args: [
          'exec',
          '--skip-git-repo-check',
          '--dangerously-bypass-approvals-and-sandbox',
          '-C',
          folder,
          prompt,
        ],
        env: { ...env, CODEX_HOME: `${home}/.codex` },
      }
    },
  }
}
