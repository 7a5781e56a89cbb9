import { problem } from '@tollgate/problems/problem'
import type { DroppedMembers } from '../canonical/dropped.ts'
import { features } from '../canonical/feature.ts'
import type { Tool } from '../canonical/tool.ts'
import type { ModelTraits } from '../traits/model-traits.ts'

interface Together {
  readonly traits: ModelTraits
  readonly dropped?: DroppedMembers | undefined
}

/**
 * Models before Gemini 3 accept either functions or built-in tools, not both. In that case a search is
 * dropped, because agents offer one with every request; any other built-in tool was requested on purpose, so
 * the request is rejected. https://ai.google.dev/gemini-api/docs/tool-combination
 */
export function toolsTogether(tools: readonly Tool[], { traits, dropped }: Together): readonly Tool[] {
  if (traits.searchBesideFunctions !== 'refused' || !hasBothKinds(tools)) return tools
  const others = tools.filter((tool) => tool.type !== 'builtin' || tool.kind !== 'web-search')
  if (hasBothKinds(others))
    throw problem('not_expressible', { feature: `${features['code-execution'].words} beside functions` })
  dropped?.add('web_search_options')
  return others
}

/** Gemini 3 runs its built-in tools beside functions only if `includeServerSideToolInvocations` is set. */
export function hasBothKinds(tools: readonly Tool[]): boolean {
  return tools.some(({ type }) => type === 'builtin') && tools.some(({ type }) => type !== 'builtin')
}
