import {
  hasListWithoutItems,
  inner,
  isJson,
  list,
  PLAIN_NAME,
  refusedFunction,
  type StrictRule,
  text,
} from './strict-rules.ts'

/** What vendors refuse in Responses, Gemini and Converse requests. */

export const responseItems: StrictRule = {
  source: 'https://github.com/anomalyco/opencode/issues/3230',
  date: '2025-10-18',
  refuses: (body) => {
    const items = list(body, 'input')
    const outputs = new Set(
      items.filter(({ type }) => text(type).endsWith('_output')).map(({ call_id: id }) => id),
    )
    const calls = items.filter(({ type }) => /^(?:function|custom_tool)_call$/.test(text(type)))
    const missing = calls.find(({ call_id: id }) => !outputs.has(id))
    if (missing !== undefined) return `No tool output found for function call ${text(missing['call_id'])}.`
    const called = new Set(calls.map(({ call_id: id }) => id))
    const orphan = items.find(
      ({ type, call_id: id }) => text(type).endsWith('call_output') && !called.has(id),
    )
    return orphan === undefined
      ? undefined
      : `No tool call found for function call output with call_id ${text(orphan['call_id'])}.`
  },
}

export const responseIds: StrictRule = {
  source: 'https://github.com/openai/codex/issues/14355',
  date: '2026-03-11',
  refuses: (body) =>
    list(body, 'input').some(({ call_id: id }) => text(id).length > 64)
      ? "Invalid 'input[2].call_id': string too long. Expected a string with maximum length 64."
      : undefined,
}

export function responseSeals(sign: string): StrictRule {
  return {
    source: 'https://github.com/openai/codex/issues/8145',
    date: '2025-12-16',
    refuses: (body) =>
      list(body, 'input').some(
        ({ type, encrypted_content: sealed }) =>
          type === 'reasoning' && typeof sealed === 'string' && !sealed.startsWith(sign),
      )
        ? 'The encrypted content gAAA...DQ== could not be verified.'
        : undefined,
  }
}

export const responseTools: StrictRule = {
  source: 'https://platform.openai.com/docs/guides/function-calling?api-mode=responses',
  date: '2026-11-29',
  refuses: (body) => {
    for (const tool of list(body, 'tools')) {
      if (tool['type'] !== 'function') continue
      const refused = refusedFunction(tool)
      if (refused !== undefined) return refused
    }
    return undefined
  },
}

export const geminiTurns: StrictRule = {
  source: 'https://ai.google.dev/gemini-api/docs/function-calling',
  date: '2026-11-29',
  refuses: (body) => {
    const turns = list(body, 'contents')
    for (const [at, turn] of turns.entries()) {
      if (turn['role'] !== 'user' && turn['role'] !== 'model') return 'Please use a valid role: user, model.'
      const parts = list(turn, 'parts')
      if (parts.length === 0)
        return '* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.'
      const calls = parts.filter((part) => 'functionCall' in part)
      const results = list(turns[at + 1] ?? {}, 'parts').filter((part) => 'functionResponse' in part)
      if (calls.length > 0 && calls.length !== results.length)
        return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'
    }
    return undefined
  },
}

/** Gemini 3 signs the first call of each step and needs the signature, or the documented placeholder, back. */
export function geminiSignatures(sign: string): StrictRule {
  return {
    source: 'https://ai.google.dev/gemini-api/docs/thought-signatures',
    date: '2026-11-29',
    refuses: (body) => {
      for (const turn of list(body, 'contents')) {
        const calls = list(turn, 'parts').filter((part) => 'functionCall' in part)
        const [first] = calls
        if (first !== undefined && first['thoughtSignature'] === undefined)
          return 'Function call is missing a thought_signature in functionCall parts.'
        for (const part of list(turn, 'parts')) {
          const signature = part['thoughtSignature']
          if (signature === undefined || signature === 'skip_thought_signature_validator') continue
          if (!Buffer.from(text(signature), 'base64').toString().startsWith(sign))
            return 'Corrupted thought signature.'
        }
      }
      return undefined
    },
  }
}

export const geminiTools: StrictRule = {
  source: 'https://ai.google.dev/api/caching#Schema',
  date: '2026-11-29',
  refuses: (body) => {
    const functions = list(body, 'tools').flatMap((tool) => list(tool, 'functionDeclarations'))
    for (const { name, parameters } of functions) {
      if (!/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(text(name))) return 'Invalid function name.'
      const unknown = isJson(parameters)
        ? /"(\$schema|additionalProperties|oneOf|allOf|const|exclusiveMinimum)":/.exec(
            JSON.stringify(parameters),
          )
        : null
      if (unknown !== null)
        return `Invalid JSON payload received. Unknown name "${unknown[1]}" at 'tools[0].function_declarations[0].parameters'`
      if (isJson(parameters) && hasListWithoutItems(parameters))
        return 'parameters.properties[urls].items: missing field.'
    }
    return undefined
  },
}

export const converseTurns: StrictRule = {
  source: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html',
  date: '2026-11-29',
  refuses: (body) => {
    const turns = list(body, 'messages')
    if (turns[0]?.['role'] !== 'user') return 'A conversation must start with a user message.'
    if (turns.at(-1)?.['role'] !== 'user')
      return 'The model that you are using requires the last turn in the conversation to be a user message.'
    for (const [at, turn] of turns.entries()) {
      if (turn['role'] === turns[at - 1]?.['role'])
        return 'A conversation must alternate between user and assistant roles.'
      const uses = list(turn, 'content').filter((block) => 'toolUse' in block)
      const results = new Set(
        list(turns[at + 1] ?? {}, 'content').flatMap((block) =>
          'toolResult' in block ? [inner(block, 'toolResult')['toolUseId']] : [],
        ),
      )
      if (uses.length > 0 && !isJson(body['toolConfig']))
        return 'The toolConfig field must be defined when using toolUse and toolResult content blocks.'
      if (uses.some((block) => !results.has(inner(block, 'toolUse')['toolUseId'])))
        return 'Expected toolResult blocks at messages.2.content for the following Ids'
      if (uses.some((block) => !PLAIN_NAME.test(text(inner(block, 'toolUse')['toolUseId']))))
        return "Value at 'messages.1.member.content.1.member.toolUse.toolUseId' failed to satisfy constraint: [a-zA-Z0-9_-]+"
    }
    const tools = list(inner(body, 'toolConfig'), 'tools').map((tool) => inner(tool, 'toolSpec'))
    return tools.some((tool) => inner(inner(tool, 'inputSchema'), 'json')['type'] !== 'object')
      ? 'The value at toolConfig.tools.0.toolSpec.inputSchema.json.type must be one of the following: object.'
      : undefined
  },
}
