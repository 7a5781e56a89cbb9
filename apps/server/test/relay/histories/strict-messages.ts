import { inner, type Json, list, PLAIN_NAME, type StrictRule, text } from './strict-rules.ts'

/** What vendors refuse in Messages requests. */

export const claudeResults: StrictRule = {
  source: 'https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use',
  date: '2026-11-29',
  refuses: (body) => {
    const turns = list(body, 'messages')
    for (const [at, turn] of turns.entries()) {
      const uses = list(turn, 'content').filter(({ type }) => type === 'tool_use')
      const results = list(turns[at + 1] ?? {}, 'content').filter(({ type }) => type === 'tool_result')
      const answered = new Set(results.map(({ tool_use_id: id }) => id))
      if (uses.some(({ id }) => !answered.has(id)))
        return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after`
      const called = new Set(
        list(turns[at - 1] ?? {}, 'content')
          .filter(({ type }) => type === 'tool_use')
          .map(({ id }) => id),
      )
      const own = list(turn, 'content').filter(({ type }) => type === 'tool_result')
      if (own.some(({ tool_use_id: id }) => !called.has(id)))
        return `messages.${at}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks`
    }
    return undefined
  },
}

export const claudeIds: StrictRule = {
  source: 'https://docs.anthropic.com/en/api/messages',
  date: '2026-11-29',
  refuses: (body) => {
    const ids = list(body, 'messages').flatMap((turn) =>
      list(turn, 'content').flatMap(({ type, id, tool_use_id: used }) =>
        type === 'tool_use' ? [text(id)] : type === 'tool_result' ? [text(used)] : [],
      ),
    )
    return ids.some((id) => !/^[a-zA-Z0-9_-]+$/.test(id))
      ? "messages.1.content.1.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"
      : undefined
  },
}

/** `sign`: how signatures of this account begin. */
export function claudeSignatures(sign: string): StrictRule {
  return {
    source: 'https://github.com/ding113/claude-code-hub/issues/518',
    date: '2026-01-03',
    refuses: (body) => {
      for (const [at, turn] of list(body, 'messages').entries())
        for (const [place, block] of list(turn, 'content').entries())
          if (block['type'] === 'thinking' && !text(block['signature']).startsWith(sign))
            return `messages.${at}.content.${place}: Invalid \`signature\` in \`thinking\` block`
      return undefined
    },
  }
}

export const claudeTools: StrictRule = {
  source: 'https://github.com/Kilo-Org/kilocode/issues/12246',
  date: '2026-06-01',
  refuses: (body) => {
    for (const [at, tool] of list(body, 'tools').entries()) {
      const schema = inner(tool, 'input_schema')
      if (tool['type'] !== undefined && tool['type'] !== 'custom') continue
      if (!PLAIN_NAME.test(text(tool['name']).padEnd(1, ' ').slice(0, 128)))
        return `tools.${at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`
      if (schema['type'] !== 'object') return `tools.${at}.custom.input_schema.type: Input should be 'object'`
      if (['oneOf', 'anyOf', 'allOf'].some((name) => name in schema))
        return `tools.${at}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`
    }
    return undefined
  },
}

export const noPrefill: StrictRule = {
  source: 'https://github.com/anthropics/claude-code/issues/52433',
  date: '2026-04-20',
  refuses: (body) =>
    list(body, 'messages').at(-1)?.['role'] === 'assistant'
      ? 'This model does not support assistant message prefill. The conversation must end with a user message.'
      : undefined,
}

export const claudeTexts: StrictRule = {
  source: 'https://docs.anthropic.com/en/api/messages',
  date: '2026-11-29',
  refuses: (body) => {
    const blocks = list(body, 'messages').flatMap((turn) => list(turn, 'content'))
    return blocks.some((block) => block['type'] === 'text' && text(block['text']).trim() === '')
      ? 'messages: text content blocks must contain non-whitespace text'
      : undefined
  },
}

/** Betas outside the list, and members that need a beta which is missing. */
export function claudeExtras(betas: string, readBetas: (body: Json) => string): StrictRule {
  const known = new Set(betas.split(' '))
  return {
    source: 'https://github.com/anthropics/claude-code/issues/21612',
    date: '2026-01-29',
    refuses: (body) => {
      const sent = readBetas(body)
        .split(',')
        .filter((beta) => beta !== '')
      if (sent.some((beta) => !known.has(beta))) return 'invalid beta flag'
      if ('context_management' in body && !sent.includes('context-management-2025-06-27'))
        return 'context_management: Extra inputs are not permitted'
      for (const [at, tool] of list(body, 'tools').entries())
        for (const name of ['eager_input_streaming', 'defer_loading', 'input_examples'])
          if (name in tool) return `tools.${at}.custom.${name}: Extra inputs are not permitted`
      if (list(body, 'messages').some(({ role }) => role === 'system'))
        return "messages.1.role: Input should be 'user' or 'assistant'"
      return /"scope":/.test(JSON.stringify(body['system'] ?? ''))
        ? 'system.0.cache_control.ephemeral.scope: Extra inputs are not permitted'
        : undefined
    },
  }
}
