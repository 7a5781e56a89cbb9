import { defaultClaudeOptions } from '../claude-options.ts'
import type { RequestQuirk } from '../provider.ts'
import { isTold, omit, type Body } from './body.ts'
import { modelSuffix } from './model-suffix.ts'

const OUTPUT_MIN = 1280
/** Models that decide by themselves how much to think, and how hard they may be asked to. */
const ADAPTIVE = /^claude-(?:opus-4-[6-9]|sonnet-4-[6-9])/
const EFFORTS = ['max', 'xhigh', 'high', 'medium', 'low'] as const

/**
 * Wishes hidden in the model's name: `-thinking` for a budget, `-high` and its kin for an effort. A caller who said in
 * the body how to think is not overruled. https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking
 */
export const claudeThinking: readonly RequestQuirk[] = [
  (outgoing, upstream) => {
    const { hasThinkingSuffix, thinkingShare } = outgoing.claude ?? defaultClaudeOptions
    if (!hasThinkingSuffix) return outgoing
    const thinking = (body: Body) => withBudget(body, thinkingShare)
    return modelSuffix({ models: /^claude-/, suffixes: { thinking } })(outgoing, upstream)
  },
  modelSuffix({
    models: ADAPTIVE,
    suffixes: Object.fromEntries(EFFORTS.map((effort) => [effort, (body: Body) => withEffort(body, effort)])),
  }),
]

function withBudget(body: Body, share: number): Body {
  if (isTold(body, 'thinking')) return body
  const told = body['max_tokens']
  const most = Math.max(typeof told === 'number' ? told : 0, OUTPUT_MIN)
  const thinking = { type: 'enabled', budget_tokens: Math.floor(most * share) }
  return { ...omit(body, 'temperature', 'top_p', 'top_k'), max_tokens: most, thinking }
}

function withEffort(body: Body, effort: string): Body {
  if (isTold(body, 'thinking')) return body
  const config = body['output_config']
  return {
    ...omit(body, 'temperature', 'top_p', 'top_k'),
    thinking: { type: 'adaptive' },
    output_config: { ...(typeof config === 'object' ? config : {}), effort },
  }
}
