import { isRecord, listAt, recordAt, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { editList } from '@tollgate/dialects/seals/edit-list'
import type { Body } from '../quirks/body.ts'

const CONTINUED = '… (continued in the instructions)'

/**
 * Cuts the descriptions of functions to what the host takes and moves the rest of each into the instructions, so
 * that nothing is lost. For chat completions and Responses; the same object where all fit.
 */
export function withShortDescriptions(body: Body, charactersMax: number): Body {
  const rests: string[] = []
  const cut = (callee: JsonObject): JsonObject => {
    const description = textAt(callee, 'description') ?? ''
    if (description.length <= charactersMax) return callee
    const kept = description.slice(0, charactersMax - CONTINUED.length).toWellFormed()
    rests.push(`The tool ${textAt(callee, 'name') ?? ''}, continued: ${description.slice(kept.length)}`)
    return { ...callee, description: kept + CONTINUED }
  }
  const tools = editList(body, 'tools', (tool) => {
    if (tool['type'] !== 'function') return tool
    const callee = recordAt(tool, 'function')
    if (callee === undefined) return cut(tool)
    const shortened = cut(callee)
    return shortened === callee ? tool : { ...tool, function: shortened }
  })
  return rests.length === 0 ? body : withInstructions(tools, rests.join('\n\n'))
}

function withInstructions(body: Body, text: string): Body {
  if (!Array.isArray(body['messages'])) {
    const instructions = textAt(body, 'instructions')
    return { ...body, instructions: instructions === undefined ? text : `${instructions}\n\n${text}` }
  }
  const messages = listAt(body, 'messages')
  const [first] = recordsAt(body, 'messages')
  const isSystem = first?.['role'] === 'system' || first?.['role'] === 'developer'
  if (!isSystem) return { ...body, messages: [{ role: 'system', content: text }, ...messages] }
  const { content } = first
  const written = Array.isArray(content)
    ? [...content, { type: 'text', text }]
    : `${String(content)}\n\n${text}`
  return {
    ...body,
    messages: messages.map((message) =>
      message === first && isRecord(message) ? { ...message, content: written } : message,
    ),
  }
}
