import type { AgentProgram } from './agent-program.ts'
import { writtenSetup } from './setup-blocks.ts'

export const claudeCode: AgentProgram = claudeCodeWith('claude-code', { variant: 'settings' })

/**
 * With a model name that is not Anthropic's, Claude Code puts system texts into the middle of a conversation.
 */
export const claudeCodeByOtherName: AgentProgram = claudeCodeWith('claude-code-other', {
  variant: 'shell',
  model: 'house-coder',
})

function claudeCodeWith(
  id: string,
  { variant, model: name }: { variant: string; model?: string },
): AgentProgram {
  return {
    id,
    package: '@anthropic-ai/claude-code',
    client: 'claude-code',
    command: 'claude',
    setup: 'install.cjs',
    dialect: 'messages',
    ...(name !== undefined && { model: name }),
    start: (place) => {
      const { files, env } = writtenSetup('claude-code', { variant, place })
      return {
        files,
        args: ['-p', place.prompt, '--model', place.model, '--dangerously-skip-permissions'],
        env: {
          ...env,
          CLAUDE_CONFIG_DIR: `${place.home}/.claude`,
          DISABLE_AUTOUPDATER: '1',
          DISABLE_TELEMETRY: '1',
          DISABLE_ERROR_REPORTING: '1',
          // Allows it to run as root without asking for permissions, in a throw-away folder.
          IS_SANDBOX: '1',
        },
      }
    },
  }
}
