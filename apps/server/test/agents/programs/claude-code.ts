import type { AgentProgram } from './agent-program.ts'

export const claudeCode: AgentProgram = claudeCodeWith('claude-code')

/**
 * With a model name that is not Anthropic's, Claude Code puts system texts into the middle of a conversation.
 */
export const claudeCodeByOtherName: AgentProgram = claudeCodeWith('claude-code-other', 'house-coder')

function claudeCodeWith(id: string, name?: string): AgentProgram {
  return {
    id,
    package: '@anthropic-ai/claude-code',
    command: 'claude',
    setup: 'install.cjs',
    dialect: 'messages',
    ...(name !== undefined && { model: name }),
    start: ({ address, key, model, home, prompt }) => ({
      files: {},
      args: ['-p', prompt, '--model', model, '--dangerously-skip-permissions'],
      env: {
        ANTHROPIC_BASE_URL: address,
        ANTHROPIC_API_KEY: key,
        ANTHROPIC_MODEL: model,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
        CLAUDE_CONFIG_DIR: `${home}/.claude`,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_TELEMETRY: '1',
        DISABLE_ERROR_REPORTING: '1',
        // Allows it to run as root without asking for permissions, in a throw-away folder.
        IS_SANDBOX: '1',
      },
    }),
  }
}
