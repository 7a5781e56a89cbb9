import { inner, list, refusedFunction, type StrictRule, text } from './strict-rules.ts'

/** What vendors refuse in chat completions requests. */

export const chatResults: StrictRule = {
  source: 'https://github.com/OpenHands/OpenHands/issues/7512',
  date: '2025-03-26',
  refuses: (body) => {
    let open: Set<unknown> | undefined
    for (const message of list(body, 'messages')) {
      if (message['role'] === 'tool') {
        if (open?.delete(message['tool_call_id']) !== true)
          return "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'."
        continue
      }
      if (open !== undefined && open.size > 0)
        return "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
      const calls = list(message, 'tool_calls')
      open = calls.length > 0 ? new Set(calls.map(({ id }) => id)) : undefined
    }
    return open !== undefined && open.size > 0
      ? "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
      : undefined
  },
}

export function chatIds(charactersMax: number, source: string, date: string): StrictRule {
  return {
    source,
    date,
    refuses: (body) => {
      const ids = list(body, 'messages').flatMap((message) => [
        text(message['tool_call_id']),
        ...list(message, 'tool_calls').map(({ id }) => text(id)),
      ])
      return ids.some((id) => id.length > charactersMax)
        ? `Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length ${charactersMax}.`
        : undefined
    },
  }
}

export const chatTools: StrictRule = {
  source: 'https://platform.openai.com/docs/guides/function-calling',
  date: '2026-11-29',
  refuses: (body) => {
    for (const tool of list(body, 'tools')) {
      if (tool['type'] !== 'function')
        return `Invalid value: '${text(tool['type'])}'. Supported values are: 'function'.`
      const refused = refusedFunction(inner(tool, 'function'))
      if (refused !== undefined) return refused
    }
    return undefined
  },
}

export function memberLimit(
  member: string,
  charactersMax: number,
  source: string,
  charactersMin = 0,
): StrictRule {
  return {
    source,
    date: '2026-05-20',
    refuses: (body) => {
      const value = body[member]
      if (typeof value !== 'string') return undefined
      return value.length > charactersMax || value.length < charactersMin
        ? `Invalid '${member}': string too long. Expected a string with maximum length ${charactersMax}.`
        : undefined
    },
  }
}

export function stopLimit(countMax: number, source: string): StrictRule {
  return {
    source,
    date: '2026-11-29',
    refuses: ({ stop }) =>
      Array.isArray(stop) && stop.length > countMax
        ? `Invalid 'stop': array too long, at most ${countMax}`
        : undefined,
  }
}

/** Members outside of the vendor's reference are refused. */
export function onlyMembers(names: string, source: string): StrictRule {
  const known = new Set(names.trim().split(/\s+/))
  return {
    source,
    date: '2026-11-29',
    refuses: (body) => {
      const other = Object.keys(body).find((name) => !known.has(name))
      return other === undefined ? undefined : `Unrecognized request argument supplied: ${other}`
    },
  }
}

export function roles(known: string, source: string, date: string): StrictRule {
  return {
    source,
    date,
    refuses: (body) => {
      const other = list(body, 'messages').find(({ role }) => !known.split(' ').includes(text(role)))
      return other === undefined
        ? undefined
        : `unknown variant \`${text(other['role'])}\`, expected one of ${known}`
    },
  }
}

export function reasoningBack(mayBeEmpty: boolean, source: string): StrictRule {
  return {
    source,
    date: '2026-08-01',
    refuses: (body) => {
      const missing = list(body, 'messages').find(
        (message) =>
          list(message, 'tool_calls').length > 0 &&
          !(mayBeEmpty
            ? typeof message['reasoning_content'] === 'string'
            : text(message['reasoning_content']) !== ''),
      )
      return missing === undefined
        ? undefined
        : 'The reasoning_content in the thinking mode must be passed back to the API.'
    },
  }
}

export const nineLetters: StrictRule = {
  source: 'https://docs.mistral.ai/api',
  date: '2026-11-29',
  refuses: (body) => {
    const ids = list(body, 'messages').flatMap((message) => [
      ...(message['role'] === 'tool' ? [text(message['tool_call_id'])] : []),
      ...list(message, 'tool_calls').map(({ id }) => text(id)),
    ])
    const odd = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(id))
    return odd === undefined
      ? undefined
      : `Tool call id was ${odd} but must be a-z, A-Z, 0-9, with a length of 9.`
  },
}

export const mistralOrder: StrictRule = {
  source: 'https://github.com/NousResearch/hermes-agent/issues/20154',
  date: '2026-05-05',
  refuses: (body) => {
    const turns = list(body, 'messages')
    const last = turns.at(-1)
    if (last?.['role'] === 'assistant' && last['prefix'] !== true)
      return 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant'
    const at = turns.findIndex(({ role }, index) => role === 'user' && turns[index - 1]?.['role'] === 'tool')
    return at < 0 ? undefined : "Unexpected role 'user' after role 'tool'"
  },
}
