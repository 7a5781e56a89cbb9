import type { ClientSetup, SetupValues } from './setup.ts'
import { jsonFile } from './write.ts'

/**
 * `ANTHROPIC_AUTH_TOKEN` is sent as a bearer token and wins over a saved login of claude.ai. An
 * `ANTHROPIC_API_KEY` beside it must be unset, because Claude Code would send both.
 */
export const claudeCode: ClientSetup = {
  id: 'claude-code',
  label: 'Claude Code',
  kind: 'agent',
  prefers: 'claude',
  variants: [
    {
      id: 'settings',
      label: 'settings.json',
      dialect: 'messages',
      blocks: (values) => [
        {
          type: 'file',
          path: '~/.claude/settings.json',
          language: 'json',
          text: jsonFile({ env: variablesOf(values) }),
        },
      ],
    },
    {
      id: 'shell',
      label: 'Shell',
      dialect: 'messages',
      blocks: (values) => [{ type: 'environment', variables: variablesOf(values) }],
    },
  ],
}

/** Claude Code asks small models for titles and summaries, by three tiers; all are set to the chosen model. */
function variablesOf({ address, key, model }: SetupValues): Readonly<Record<string, string>> {
  return {
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_AUTH_TOKEN: key,
    ANTHROPIC_MODEL: model,
    ANTHROPIC_DEFAULT_OPUS_MODEL: model,
    ANTHROPIC_DEFAULT_SONNET_MODEL: model,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }
}
