import { isMediaPart, type Part, type ToolResultPart } from '../canonical/part.ts'
import { isRecord, type JsonObject } from '../json.ts'
import { parseText } from '../json-limits.ts'
import { readMedia, writeMedia } from './media.ts'
import { recordOf, recordsOf } from './members.ts'

/**
 * Reads a tool result. Gemini requires an object: `output` holds a result, `error` an error, and an object
 * without either is itself the result. https://ai.google.dev/api/caching#FunctionResponse
 */
export function readResult(functionResponse: JsonObject): Pick<ToolResultPart, 'parts' | 'isError'> {
  const response = recordOf(functionResponse, 'response') ?? {}
  const media = recordsOf(functionResponse, 'parts')
    .map(readMedia)
    .filter((part) => part !== undefined)
  const names = Object.keys(response)
  const only = names.length === 1 ? names[0] : undefined
  const isWrapped = only === 'output' || only === 'error'
  const value = isWrapped ? response[only] : response
  const parts: Part[] = isEmpty(value) && media.length > 0 ? [] : [{ type: 'text', text: asText(value) }]
  return { parts: [...parts, ...media], isError: only === 'error' ? true : undefined }
}

function isEmpty(value: unknown): boolean {
  return value === '' || (isRecord(value) && Object.keys(value).length === 0)
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Writes the `response` and `parts` of a tool result. */
export function writeResult({ parts, isError = false }: ToolResultPart): JsonObject {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const media = parts
    .filter(isMediaPart)
    .map(writeMedia)
    .filter((part) => part !== undefined)
  const response = wrapped(texts.join('\n'), isError)
  return { response, parts: media.length > 0 ? media : undefined }
}

function wrapped(text: string, isError: boolean): JsonObject {
  const value = structured(text)
  if (isError) return { error: value }
  const isWhole = isRecord(value) && !Object.hasOwn(value, 'output') && !Object.hasOwn(value, 'error')
  return isWhole ? value : { output: value }
}

/** Parses a JSON object or list; any other text stays a string. */
function structured(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text
  const value = parseText(text)
  return value === undefined ? text : value
}
