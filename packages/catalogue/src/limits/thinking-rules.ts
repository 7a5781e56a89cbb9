import type { MemberSource } from '../members/member-row.ts'

/** What a model in thinking mode demands of a chat completions request. */
export interface ThinkingRule {
  readonly models: RegExp
  /**
   * Every turn with calls must have `reasoning_content`. This text stands where the history has none; a vendor
   * takes an empty one or not.
   */
  readonly reasoningFiller: string
  /** A forced tool is refused while the model thinks, which it does unless told not to. */
  readonly refusesForcedTools: boolean
  readonly source: MemberSource
}

export const thinkingRules: readonly ThinkingRule[] = [
  {
    models: /(?:^|\/)deepseek-v4/i,
    reasoningFiller: '',
    refusesForcedTools: true,
    source: { url: 'https://api-docs.deepseek.com/guides/thinking_mode', date: '2026-11-29' },
  },
  {
    models: /(?:^|\/)kimi-(?:k2\.[5-9]|k2-thinking|k[3-9])/i,
    reasoningFiller: 'The reasoning of this turn was not kept.',
    refusesForcedTools: false,
    source: { url: 'https://platform.moonshot.cn/docs/guide/use-kimi-k2-thinking-model', date: '2026-11-29' },
  },
]

export function findThinkingRule(model: string): ThinkingRule | undefined {
  return thinkingRules.find(({ models }) => models.test(model))
}
